// A bounded fair queue with nested round robin: the groups take turns, and in a group's turn its members do, so that a
// long queue of one member delays only that member. No maintained package does this: p-queue has priorities and
// bottleneck limits by key, and both are first in, first out.
import { getOrInsert } from '../memo.ts'

/** Identifies who queues: a member of a group, such as a client of a company. */
export interface Flow {
  readonly group: string
  readonly member: string
}

/** A unique key: no group's name contains a line feed. */
export function flowKey({ group, member }: Flow): string {
  return `${group}\n${member}`
}

/**
 * How long each group has used what it shares with others: turns by number would give the most to whoever brings what
 * takes longest.
 */
export class UsedTime {
  readonly #ms = new Map<string, number>()

  add(group: string, ms: number): void {
    this.#ms.set(group, this.of(group) + ms)
  }

  /** In milliseconds; 0 for a group that has used nothing since `clear`. */
  of(group: string): number {
    return this.#ms.get(group) ?? 0
  }

  /** Forgets everything, when nobody uses or waits for anything. */
  clear(): void {
    this.#ms.clear()
  }
}

interface MemberQueue<T> {
  readonly flow: Flow
  readonly items: T[]
}

interface Group<T> {
  length: number
  /** In the order of their turns; none is empty. */
  readonly queues: Map<string, MemberQueue<T>>
}

export class FairQueue<T> {
  readonly #maxLength: number
  readonly #used: UsedTime | undefined
  /** In the order of their turns; none is empty. */
  readonly #groups = new Map<string, Group<T>>()
  #length = 0

  /** `used`: the group that has used the least goes first, and those with as much take turns. */
  constructor(maxLength: number, used?: UsedTime) {
    this.#maxLength = maxLength
    this.#used = used
  }

  get length(): number {
    return this.#length
  }

  /**
   * Adds an item. If the queue is full, removes and returns the newest item of the longest member queue in the longest
   * group, which is the added item itself if no other is longer.
   */
  push(flow: Flow, item: T): T | undefined {
    const group = this.#groupOf(flow)
    const queue = getOrInsert(group.queues, flow.member, (): MemberQueue<T> => ({ flow, items: [] }))
    queue.items.push(item)
    group.length += 1
    this.#length += 1
    if (this.#length <= this.#maxLength) return undefined
    const longestGroup = longestOf(this.#groups.values(), group, ({ length }) => length)
    const own = longestGroup === group ? queue : undefined
    const longest = longestOf(longestGroup.queues.values(), own, ({ items }) => items.length)
    const dropped = longest.items.pop() as T
    this.#countRemoved(longest)
    return dropped
  }

  /** Removes the item whose turn it is, skipping heads of member queues that are not eligible now. */
  shift(isEligible: (head: T) => boolean = () => true): T | undefined {
    for (const [name, group] of this.#inOrder()) {
      for (const [member, queue] of group.queues) {
        const item = queue.items[0] as T
        if (!isEligible(item)) continue
        queue.items.shift()
        group.length -= 1
        this.#length -= 1
        moveToEnd(group.queues, member, queue, queue.items.length)
        moveToEnd(this.#groups, name, group, group.length)
        return item
      }
    }
    return undefined
  }

  /** Takes away an item that waits no longer. Tells whether it was there. */
  remove({ group: name, member }: Flow, item: T): boolean {
    const queue = this.#groups.get(name)?.queues.get(member)
    const index = queue ? queue.items.indexOf(item) : -1
    if (!queue || index < 0) return false
    queue.items.splice(index, 1)
    this.#countRemoved(queue)
    return true
  }

  /** The first item of each member queue. */
  *heads(): Generator<T, void, void> {
    for (const { queues } of this.#groups.values()) for (const { items } of queues.values()) yield items[0] as T
  }

  #inOrder(): Iterable<[string, Group<T>]> {
    const used = this.#used
    return used ? [...this.#groups].sort(([one], [other]) => used.of(one) - used.of(other)) : this.#groups
  }

  #groupOf({ group: name }: Flow): Group<T> {
    return getOrInsert(this.#groups, name, () => ({ length: 0, queues: new Map() }))
  }

  /** Updates the counts after an item has been removed out of turn. */
  #countRemoved({ flow, items }: MemberQueue<T>): void {
    const group = this.#groupOf(flow)
    if (items.length === 0) group.queues.delete(flow.member)
    group.length -= 1
    if (group.length === 0) this.#groups.delete(flow.group)
    this.#length -= 1
  }
}

/** The next turn comes after the others'; who has nothing more has none. */
function moveToEnd<Value>(turns: Map<string, Value>, name: string, value: Value, length: number): void {
  if (length > 0 && turns.size === 1) return
  turns.delete(name)
  if (length > 0) turns.set(name, value)
}

/** Among equally long ones, prefers `own`, else the first. */
function longestOf<T>(candidates: Iterable<T>, own: T | undefined, lengthOf: (candidate: T) => number): T {
  let longest = own
  for (const candidate of candidates) if (!longest || lengthOf(candidate) > lengthOf(longest)) longest = candidate
  return longest as T
}
