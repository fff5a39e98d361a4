// What the trials of many clients at once have in common.
import { expect } from 'vitest'
import type { Answered, Asked, KeepAliveClient } from '../../support/keep-alive-client.ts'

/** As long as the full form of a trial may take on a slow machine. */
export const TRIAL_TIMEOUT_MS = 900_000

/** Sends one request of every client in the same moment. */
export function together(
  clients: readonly KeepAliveClient[],
  askedOf: (client: number) => Asked,
): Promise<readonly Answered[]> {
  return Promise.all(clients.map((client, at) => client.send(askedOf(at))))
}

/** One request that must be answered by this status; gives the body. */
// biome-ignore lint/suspicious/noExplicitAny: trials look into records of any shape.
export async function done(client: KeepAliveClient | undefined, asked: Asked, status: number): Promise<any> {
  const answer = await client?.send(asked)
  expect([asked.method, asked.path, answer?.status, answer?.status === status ? '' : answer?.text]).toEqual([
    asked.method,
    asked.path,
    status,
    '',
  ])
  return answer?.text ? JSON.parse(answer.text) : undefined
}

/** How often each status came, such as `1 x 201, 63 x 409`: an unexpected one is there to be read, with its text. */
export function statusesOf(answers: readonly Answered[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, text } of answers) {
    const name = status >= 500 ? `${status} ${text}` : String(status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

export const inThousands = (count: number): string => count.toLocaleString('en-US')
