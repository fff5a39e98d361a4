// The webhooks of a company.
import { queryOptions } from '@tanstack/react-query'
import { timeText } from '../parts/field-value.tsx'
import { t } from '../words/words.ts'
import { fetchJson } from './client.ts'

export interface Subscription {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly entities: readonly string[]
  readonly filter: string
  readonly clientId: string
  readonly isSetup: boolean
  readonly state: 'active' | 'paused'
  /** Why it is paused. */
  readonly reason: string
  /** Changes that it was not told of yet. */
  readonly pending: number
  readonly deadLetters: number
  /** 1900-01-01 while deliveries succeed. */
  readonly failingSince: string
}

export interface DeliveryAttempt {
  readonly attemptNo: number
  /** The first event of the request. */
  readonly eventId: string
  readonly at: string
  readonly events: number
  readonly attempt: number
  readonly status: number
  readonly outcome: string
  readonly ms: number
  readonly excerpt: string
}

const NEVER = '1900-01-01'

export const subscriptionsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'subscriptions'],
    queryFn: () => fetchJson<Subscription[]>(`/v1/subscriptions?companyId=${encodeURIComponent(company)}`),
  })

/** Undefined while nothing is wrong with it. */
export function concernOf({ state, reason, failingSince, deadLetters }: Subscription): string | undefined {
  if (state === 'paused')
    return reason === '' ? t('paused') : t('paused: {{reason}}', { reason: reason.replace(/\.$/, '') })
  if (!failingSince.startsWith(NEVER)) return t('failing since {{time}}', { time: timeText(failingSince) })
  return deadLetters > 0 ? t('{{count}} events were given up', { count: deadLetters }) : undefined
}

export const subscriptionPath = (company: string, id: string, action = ''): string =>
  `/v1/subscriptions/${encodeURIComponent(id)}${action}?companyId=${encodeURIComponent(company)}`
