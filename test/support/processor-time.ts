// The time that the processor has worked for this thread, in which the service runs: whatever else the machine does, and
// however long an answer is waited for, it tells how long others were held up at most.

/** In milliseconds, of the thread that serves. */
export async function processorTime<T>(work: () => Promise<T>): Promise<[result: T, milliseconds: number]> {
  const before = process.threadCpuUsage()
  const result = await work()
  const { user, system } = process.threadCpuUsage(before)
  return [result, (user + system) / 1_000]
}
