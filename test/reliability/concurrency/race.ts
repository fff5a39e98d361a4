// Helpers that the concurrency tests share.
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { KeepAliveClient, ReceivedAnswer, SentRequest } from '../../support/keep-alive-client.ts'

/** The full form of a test may take this long on a slow machine. */
export const RELIABILITY_TIMEOUT_MS = 900_000

/** Whoever is refused with one of these has written nothing: the request waited too long for its turn. */
const REFUSED_BEFORE_ITS_TURN = /all sessions with the database are busy|Too many writes are waiting/

/**
 * Sends a request as clients do: one that is refused because the service is busy is sent again when `Retry-After` says.
 * Returns any other answer.
 */
export async function served(client: KeepAliveClient, asked: SentRequest): Promise<ReceivedAnswer> {
  for (;;) {
    const answer = await client.send(asked)
    if (answer.status !== 503 || !REFUSED_BEFORE_ITS_TURN.test(answer.text)) return answer
    await delay(Number(answer.headers['retry-after']) * 1000)
  }
}

/** Sends one request of every client at the same time. */
export function together(
  clients: readonly KeepAliveClient[],
  askedOf: (client: number) => SentRequest,
): Promise<readonly ReceivedAnswer[]> {
  return Promise.all(clients.map((client, at) => served(client, askedOf(at))))
}

/** Sends a request that must be answered by this status; returns the body. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into records of any shape.
export async function done(client: KeepAliveClient | undefined, asked: SentRequest, status: number): Promise<any> {
  const answer = client && (await served(client, asked))
  expect([asked.method, asked.path, answer?.status, answer?.status === status ? '' : answer?.text]).toEqual([
    asked.method,
    asked.path,
    status,
    '',
  ])
  return answer?.text ? JSON.parse(answer.text) : undefined
}

/** The number of answers by status, such as `1 x 201, 63 x 409`; an unexpected status is listed with its text. */
export function statusesOf(answers: readonly ReceivedAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, text } of answers) {
    const name = status >= 500 ? `${status} ${text}` : String(status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

export const inThousands = (count: number): string => count.toLocaleString('en-US')
