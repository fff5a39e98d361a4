/** Does something with each item, one after the other: without a promise as long as nothing has to be waited for. */
export function inTurn<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void> | undefined,
  from = 0,
): Promise<void> | undefined {
  for (let at = from; at < items.length; at++) {
    const waited = act(items[at] as Item)
    if (waited) return waited.then(() => inTurn(items, act, at + 1))
  }
  return undefined
}
