// What is told of deliveries: attempts, and events that were given up, which can be tried again.
import type { Static } from 'typebox'
import type { JsonValue } from '../../base/strict-json.ts'
import { shortened } from '../../base/text.ts'
import { invalidRecord } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { readRecord } from '../../model/read-record.ts'
import { writeRecord } from '../../records/shared/write-record.ts'
import { requireSubscription, type SubscriptionRequest } from '../change-subscription.ts'
import { type EventRange, listAttempts, listDeadLetters, retryDeadLetters } from '../delivery-log-store.ts'
import { type Attempt, type DeadLetter, Retry } from '../subscription-schema.ts'
import type { SubscriptionService } from '../subscription-service.ts'

type Target = Pick<SubscriptionRequest, 'caller' | 'companyId' | 'subscriptionId'>

/** The newest attempts, the newest first. */
export async function readAttempts(
  { store, companies }: SubscriptionService,
  request: Target,
  limit: number,
): Promise<Static<typeof Attempt>[]> {
  const { id } = companies.require(request.companyId)
  const tx = store.reading(id)
  await requireSubscription(tx, request)
  const rows = await listAttempts(tx, request.subscriptionId, limit)
  return rows.map(({ attempt_no, entry_no, part, ...row }) => ({
    attemptNo: attempt_no,
    eventId: entry_no === 0 ? '' : eventIdOf(id, entry_no, part),
    ...row,
  }))
}

/** Events that were given up, in the order of their changes, from a number on. */
export async function readDeadLetters(
  { store, companies }: SubscriptionService,
  request: Target,
  { from, limit }: { from: number; limit: number },
): Promise<Static<typeof DeadLetter>[]> {
  const { id } = companies.require(request.companyId)
  const tx = store.reading(id)
  await requireSubscription(tx, request)
  const rows = await listDeadLetters(tx, request.subscriptionId, from, limit)
  return rows.map((row) => ({
    eventId: eventIdOf(id, row.entry_no, row.part),
    number: row.entry_no,
    entity: row.entity,
    recordKey: row.record_key,
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    firstAt: row.first_at,
  }))
}

/** Makes events that were given up due again. The subscription itself does not change, nor does its tag. */
export async function retryEvents(
  service: SubscriptionService,
  request: SubscriptionRequest & { readonly body: JsonValue | undefined },
): Promise<{ readonly retried: number }> {
  const { id } = service.companies.require(request.companyId)
  const ranges = rangesOf(id, request.body ?? null)
  const result = await writeRecord(service, id, request, async (tx) => {
    await requireSubscription(tx, request)
    let retried = 0
    for (const range of ranges) retried += await retryDeadLetters(tx, request.subscriptionId, range)
    return { retried }
  })
  if (!request.validateOnly) service.deliveries.wake(id)
  return result
}

function rangesOf(companyId: string, body: JsonValue): EventRange[] {
  const findings = new Findings()
  const given = readRecord(Retry, body, findings)
  const { ids, from, to } = given
  if (findings.size === 0 && (ids === undefined) !== (from !== undefined && to !== undefined))
    findings.add('ids', 1010, 'Expected either ids, or from and to.')
  const ranges = (ids ?? []).map((text, index) => {
    const found = readEventId(companyId, text)
    if (!found) findings.add(['ids', index], 3010, `'${shortened(text)}' is no id of an event.`)
    return { from: found?.number ?? 0, to: found?.number ?? 0, part: found?.part ?? 0 }
  })
  if (findings.size > 0) throw invalidRecord(given, findings)
  return from === undefined || to === undefined ? ranges : [{ from, to }]
}

/** The id of an event, as the feed has it: `EN-1234`, or `EN-1234.2` where several changes have one number. */
function eventIdOf(companyId: string, number: number, part: number): string {
  return part === 0 ? `${companyId}-${number}` : `${companyId}-${number}.${part}`
}

const EVENT_ID = /^(.*)-(\d{1,15})(?:\.(\d{1,15}))?$/s

/** Undefined for what is no id of an event of the company. */
export function readEventId(companyId: string, text: string): { number: number; part: number } | undefined {
  const [, company, number, part = '0'] = EVENT_ID.exec(text) ?? []
  return company === companyId ? { number: Number(number), part: Number(part) } : undefined
}
