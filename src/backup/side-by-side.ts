/** Number of concurrent tasks, which hides the latency of a remote file store. */
const CONCURRENCY = 4

/** Runs the work for all items with limited concurrency. After a failure it starts no more and waits for the rest. */
export async function forEachConcurrently<T>(items: AsyncGenerator<T, void, void>, work: (item: T) => Promise<void>) {
  let isFailed = false
  const runWorker = async () => {
    while (!isFailed) {
      try {
        const next = await items.next()
        if (next.done) return
        await work(next.value)
      } catch (error) {
        isFailed = true
        throw error
      }
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, runWorker))
  await items.return()
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
