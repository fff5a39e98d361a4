// CPU time of the thread that runs the service. Unlike elapsed time it does not depend on the load of the machine, and
// it bounds how long other requests were blocked.

/** In milliseconds of the CPU. */
export async function processorTime<T>(work: () => Promise<T>): Promise<[result: T, milliseconds: number]> {
  const before = process.threadCpuUsage()
  const result = await work()
  const { user, system } = process.threadCpuUsage(before)
  return [result, (user + system) / 1_000]
}
