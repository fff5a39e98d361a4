// The one way to the service. Every request of the console goes through `sendToService`, so that who is acted as holds
// for grids, copies and exports alike.

import { type Client, createClient, Problem } from '#client'
import { getOrInsert } from '../../../src/base/memo.ts'
import { t } from '../words/words.ts'
import { BASE_PATH } from './base-path.ts'
import { wantedLanguages } from './preferences.ts'

/** Proves that the request is the console's own: no other origin may send such a header. */
const OWN = { 'x-requested-with': 'tabularium-console' }

/** What is answered as the client that is acted as: records, and who one is. Sessions stay the person's own. */
const HELD_FOR = /\/v\d+\/|\/odata\/|\/console\/api\/session$/

const ACT_AS_KEY = 'tabularium.act-as'

/** The client that an administrator looks through, in this tab. */
export const actingAs = (): string | undefined => sessionStorage.getItem(ACT_AS_KEY) ?? undefined

/** Loads the page anew: nothing that another caller has seen stays in its memory. */
export function actAs(clientId: string | undefined): void {
  if (clientId === undefined) sessionStorage.removeItem(ACT_AS_KEY)
  else sessionStorage.setItem(ACT_AS_KEY, clientId)
  location.assign(`${BASE_PATH}/console/`)
}

/** Throws a `Problem` if there is no such client, or the person may not see as it. */
export async function checkActing(clientId: string): Promise<void> {
  await fetchService('/console/api/session', { headers: { 'act-as': clientId } })
}

/** Called when the session has ended. */
let onEnded = (): void => {}

export function whenSessionEnds(listener: () => void): void {
  onEnded = listener
}

async function sendToService(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(OWN)) headers.set(name, value)
  headers.set('x-erp-language', wantedLanguages())
  const client = actingAs()
  if (client !== undefined && HELD_FOR.test(String(input))) headers.set('act-as', client)
  const answer = await fetch(input, { ...init, headers, credentials: 'same-origin' })
  if (answer.status === 401 && !String(input).includes('/console/api/')) onEnded()
  return answer
}

const clients = new Map<string, Client>()

/** The client of a company; `''` stands for the caller's default company. */
export function clientFor(company: string): Client {
  return getOrInsert(clients, company, () => {
    const service = { url: location.origin + BASE_PATH, session: true } as const
    return createClient(service, { ...(company === '' ? {} : { company }), fetch: sendToService, tries: 2 })
  })
}

/** A plain request to a path of the service, such as `/v1/access?companyId=EN`. Throws a `Problem` for a refusal. */
export async function fetchService(path: string, init?: RequestInit): Promise<Response> {
  const answer = await sendToService(BASE_PATH + path, init)
  if (answer.ok || answer.status === 304) return answer
  const text = await answer.text()
  throw new Problem(messageIn(text) ?? t('The service answered {{status}}.', { status: String(answer.status) }), {
    status: answer.status,
    headers: answer.headers,
    text,
  })
}

/** The same for JSON. */
export async function fetchJson<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const answer = await fetchService(path, init)
  return (answer.status === 204 ? undefined : await answer.json()) as Answer
}

export function sendJson<Answer>(method: 'POST' | 'PATCH', path: string, body: unknown): Promise<Answer> {
  return fetchJson<Answer>(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

function messageIn(text: string): string | undefined {
  try {
    const body = JSON.parse(text) as { message?: unknown } | null
    return typeof body?.message === 'string' ? body.message : undefined
  } catch {
    return undefined
  }
}
