type Waited = Promise<void> | undefined

/** Does something with each item, one after the other: without a promise as long as nothing has to be waited for. */
export function inTurn<Item>(items: readonly Item[], act: (item: Item, at: number) => Waited, from = 0): Waited {
  for (let at = from; at < items.length; at++) {
    const waited = act(items[at] as Item, at)
    if (waited) return waited.then(() => inTurn(items, act, at + 1))
  }
  return undefined
}

/** Goes on with what was found: without a promise where nothing has to be waited for. */
export function andThen<Found>(found: Found | Promise<Found>, next: (found: Found) => Waited): Waited {
  return found instanceof Promise ? found.then(next) : next(found)
}
