// The access token of a client: fetched by client credentials (RFC 6749, 4.4), kept, and renewed before it ends.
import { NetworkProblem, problemOf } from '../problems.ts'
import { deadlineOf, orAborted } from './deadline.ts'
import { isTransient, retryAfterMs, waitMs } from './retry.ts'
import type { Surroundings } from './surroundings.ts'

/** Where tokens come from: an id and a secret, or the program itself. */
export type Credentials =
  | { readonly clientId: string; readonly clientSecret: string }
  /** Called for each request, and once more after the service has refused a token. */
  | { readonly token: () => Promise<string> }
  /** For a page of the service itself: the browser adds the cookie of who has signed in. */
  | { readonly session: true }

export interface TokenSource {
  /**
   * A token that is valid for some time; undefined if requests carry none. Rejects with the signal's reason when that
   * is aborted first.
   */
  token(signal: AbortSignal): Promise<string | undefined>
  /** The service has refused this token: the next call gets another one. */
  refuse(token: string): void
}

/** How long before its end a token is renewed, and at most how much of its life that may be. */
const MARGIN_MS = 60_000
const MARGIN_SHARE = 0.25
const TIMEOUT_MS = 30_000
const TRIES = 4

interface KeptToken {
  readonly text: string
  readonly renewAt: number
}

export function tokenSourceOf(credentials: Credentials, baseUrl: string, surroundings: Surroundings): TokenSource {
  if ('token' in credentials) {
    return { token: (signal) => orAborted(credentials.token(), signal), refuse: () => {} }
  }
  if ('session' in credentials) return { token: () => Promise.resolve(undefined), refuse: () => {} }
  let kept: KeptToken | undefined
  let fetching: Promise<KeptToken> | undefined
  const current = () => (kept !== undefined && surroundings.now() < kept.renewAt ? kept : undefined)
  const renew = () => {
    fetching ??= fetchToken(credentials, baseUrl, surroundings)
      .then((token) => {
        kept = token
        return token
      })
      .finally(() => {
        fetching = undefined
      })
    return fetching
  }
  return {
    token: async (signal) => (current() ?? (await orAborted(renew(), signal))).text,
    refuse: (token) => {
      if (kept?.text === token) kept = undefined
    },
  }
}

/** Has a deadline of its own: the calls that wait for it may be given up one by one. */
async function fetchToken(
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
  baseUrl: string,
  surroundings: Surroundings,
): Promise<KeptToken> {
  const deadline = deadlineOf(undefined, TIMEOUT_MS, surroundings.now())
  const init = {
    method: 'POST',
    headers: { authorization: `Basic ${base64(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    signal: deadline.signal,
  }
  try {
    for (let tries = 1; ; tries++) {
      const answer = await askForToken(`${baseUrl}/oauth/token`, init, surroundings)
      if (!(answer instanceof NetworkProblem) && answer.ok) return await keptToken(answer, surroundings)
      const problem = answer instanceof NetworkProblem ? answer : await problemOf(answer, surroundings.now())
      const asked =
        answer instanceof NetworkProblem
          ? undefined
          : retryAfterMs(answer.headers.get('retry-after'), surroundings.now())
      const wait = waitMs(tries, asked, surroundings.random)
      const isFinal = problem.status !== 0 && !isTransient(problem.status)
      if (isFinal || tries === TRIES || surroundings.now() + wait > deadline.endsAt) throw problem
      await surroundings.sleep(wait, deadline.signal)
    }
  } finally {
    deadline.release()
  }
}

async function askForToken(
  url: string,
  init: RequestInit,
  { fetch }: Surroundings,
): Promise<Response | NetworkProblem> {
  try {
    return await fetch(url, init)
  } catch (error) {
    return new NetworkProblem('No token could be fetched.', { cause: error })
  }
}

async function keptToken(answer: Response, { now }: Surroundings): Promise<KeptToken> {
  const begun = now()
  const { access_token: text, expires_in: seconds } = (await answer.json()) as {
    readonly access_token: string
    readonly expires_in: number
  }
  const lifeMs = seconds * 1_000
  return { text, renewAt: begun + lifeMs - Math.min(MARGIN_MS, lifeMs * MARGIN_SHARE) }
}

/** A text is encoded as its UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
