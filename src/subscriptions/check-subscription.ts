// The rules of a subscription's members.
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../access/caller.ts'
import { anyOf, isLongerThan } from '../base/text.ts'
import type { Findings } from '../errors/findings.ts'
import { Problem } from '../errors/problem.ts'
import type { GivenOf } from '../model/schema.ts'
import { tooLong } from '../records/shared/check-lengths.ts'
import { requireField } from '../records/shared/required-field.ts'
import type { SubscriptionDefinition } from './subscription.ts'
import {
  MAX_ENTITIES,
  MAX_NAME,
  MAX_QUERY,
  MAX_URL,
  type NewSubscription,
  PAYLOADS,
  SIGNATURES,
} from './subscription-schema.ts'
import type { SubscriptionService } from './subscription-service.ts'

type GivenSubscription = GivenOf<typeof NewSubscription>

/** The members completed with defaults. A select makes the payload full: without the record it would be of no use. */
export function definitionOf(given: GivenSubscription): SubscriptionDefinition {
  const { name = '', url = '', entities = [], filter = '', select = '', batch = false } = given
  const payload = select === '' ? (given.payload ?? 'thin') : 'full'
  return {
    name,
    url,
    entities: [...new Set(entities)],
    filter,
    select,
    payload: payload as SubscriptionDefinition['payload'],
    batch,
    signature: (given.signature ?? 'hmac') as SubscriptionDefinition['signature'],
  }
}

interface Subscriber {
  readonly caller: Caller
  readonly companyId: string
}

/**
 * Adds what is wrong with the members. Throws 403 for an entity that the caller may not read. A question that is stored
 * already is not asked again.
 */
export async function checkSubscription(
  service: SubscriptionService,
  subscriber: Subscriber,
  definition: SubscriptionDefinition,
  findings: Findings,
  stored?: SubscriptionDefinition,
): Promise<void> {
  const { name, url, payload, signature } = definition
  requireField('name', name, findings)
  checkLength('name', name, MAX_NAME, findings)
  checkUrl(service, url, findings)
  checkChoice('payload', payload, PAYLOADS, findings)
  checkChoice('signature', signature, SIGNATURES, findings)
  if (!stored || !isDeepStrictEqual(questionOf(stored), questionOf(definition)))
    await checkQuery(service, subscriber, definition, findings)
}

function questionOf({ entities, filter, select }: SubscriptionDefinition) {
  return { entities, filter, select }
}

function checkUrl({ deliveries }: SubscriptionService, url: string, findings: Findings): void {
  if (!requireField('url', url, findings)) return
  checkLength('url', url, MAX_URL, findings)
  const refusal = findings.has('url') ? undefined : deliveries.refusalOf(url)
  if (refusal !== undefined) findings.add('url', 3010, `The url cannot be used: ${refusal}.`)
}

function checkLength(field: string, value: string, max: number, findings: Findings): void {
  if (isLongerThan(value, max)) findings.add(field, 1010, tooLong(field, max), 400)
}

function checkChoice(field: string, value: string, choices: readonly string[], findings: Findings): void {
  if (!choices.includes(value)) findings.add(field, 3010, `The field ${field} must be ${anyOf(choices)}.`)
}

/** The entities first, then the filter and the select for them: so each mistake is found at its member. */
async function checkQuery(
  { feed }: SubscriptionService,
  subscriber: Subscriber,
  { entities, filter, select }: SubscriptionDefinition,
  findings: Findings,
): Promise<void> {
  if (entities.length > MAX_ENTITIES)
    findings.add('entities', 1010, `The field entities takes at most ${MAX_ENTITIES} items.`, 400)
  checkLength('filter', filter, MAX_QUERY, findings)
  checkLength('select', select, MAX_QUERY, findings)
  if (['entities', 'filter', 'select'].some((field) => findings.has(field))) return
  // Without any of them it tells whatever the client may read when it is told.
  if (entities.length === 0 && filter === '' && select === '') return
  const named = { ...subscriber, ...(entities.length > 0 ? { entities } : {}) }
  if (!(await opens(feed, named, 'entities', findings))) return
  if (filter !== '') await opens(feed, { ...named, filter }, 'filter', findings)
  if (select !== '') await opens(feed, { ...named, select }, 'select', findings)
}

async function opens(
  feed: SubscriptionService['feed'],
  request: Parameters<SubscriptionService['feed']['open']>[0],
  field: string,
  findings: Findings,
): Promise<boolean> {
  try {
    await feed.open(request)
    return true
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error
    findings.add(field, error.code ?? 1020, error.message, 400)
    return false
  }
}
