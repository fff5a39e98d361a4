/** Contents on their way at the same time: a file store far away answers late. */
const AT_ONCE = 4

/** Does the work for each item, some at the same time. When one fails no further ones begin, and none is under way when this rejects. */
export async function sideBySide<T>(items: AsyncGenerator<T, void, void>, work: (item: T) => Promise<void>) {
  let isFailed = false
  const doSome = async () => {
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
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, doSome))
  await items.return()
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
