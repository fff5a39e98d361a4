// Entries that one request has written at one time. The entry of a value or customer comes before those of the
// relations that were changed with it, and its text has them already: nobody ever saw a state in between.
import { getOrInsert } from '../../base/memo.ts'
import type { LogHead } from './log-entry.ts'

/** How far the entries of one record and of its relations may be apart: a record has 200 relations at most. */
export const GROUP_REACH = 512

export function groupOf({ at, requestId, userId, clientId }: LogHead): string {
  return JSON.stringify([at, requestId, userId, clientId])
}

/** The numbers of entries by what they change and who has written them. */
export class GroupIndex {
  readonly #numbers = new Map<string, number[]>()

  /** To be called in the order of the numbers. */
  add(head: LogHead, subject: string): void {
    getOrInsert(this.#numbers, `${groupOf(head)}${subject}`, () => []).push(head.number)
  }

  get isEmpty(): boolean {
    return this.#numbers.size === 0
  }

  /** The last entry of the subject that the same group has after this one, within reach. */
  lastAfter(head: LogHead, subject: string): number | undefined {
    const numbers = this.#numbers.get(`${groupOf(head)}${subject}`) ?? []
    return numbers.findLast((number) => number > head.number && number - head.number <= GROUP_REACH)
  }
}
