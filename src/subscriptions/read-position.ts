// The positions that clients name: `now`, or the number of a change.
import type { Caller } from '../access/caller.ts'
import { ALL_PARTS, type Position } from '../changes/record-change.ts'
import type { Findings } from '../errors/findings.ts'
import { readCounter } from '../store/journal/journal.ts'
import type { ReadTx } from '../store/store.ts'
import { queryOf, type SubscriptionDefinition } from './subscription.ts'
import type { SubscriptionService } from './subscription-service.ts'

const NUMBER = /^\d{1,15}$/

/** The position that `since` names; undefined for `now`, and with a finding for what is none. */
export async function readSince(tx: ReadTx, since: string | number, findings: Findings): Promise<Position | undefined> {
  const text = String(since).trim()
  if (text.toLowerCase() === 'now') return undefined
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  if (number <= (await newestNumber(tx))) return { number, part: ALL_PARTS }
  findings.add('since', 1020, 'The field since must be now, or a number that X-ERP-Change-Number named.', 400)
  return undefined
}

/** The newest number of the company. */
export async function newestNumber(tx: ReadTx): Promise<number> {
  return (await tx.first(readCounter, { companyId: tx.companyId }))?.last_entry ?? 0
}

/** Throws 410 when the changes after the position are no longer kept. */
export async function requireKept(
  { feed }: SubscriptionService,
  subscriber: { readonly caller: Caller; readonly companyId: string },
  definition: SubscriptionDefinition,
  position: Position,
): Promise<void> {
  const opened = await feed.open({ ...subscriber, ...queryOf(definition) })
  await opened.read(position, 1)
}
