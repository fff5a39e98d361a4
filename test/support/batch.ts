// Batches for the tests: how they are sent, and what can be seen of their answers.
import { expect } from 'vitest'
import type { Answer, Sent, World } from './world.ts'

export const BATCH = '/v1/batch'
export const VALUES = '/v1/attribute-values'

export interface Asked {
  readonly id?: string
  readonly method?: NonNullable<Sent['method']>
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly dependsOn?: readonly string[]
  readonly atomicityGroup?: string
}

export interface Answered {
  readonly id: string
  readonly atomicityGroup?: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
  readonly body?: any
}

/** An operation without an id gets that of its place, from 1. */
export function sendBatch(world: World, requests: readonly Asked[], sent: Partial<Sent> = {}): Promise<Answer> {
  const numbered = requests.map((request, at) => ({ id: String(at + 1), method: 'GET', ...request }))
  return world.send({ as: 'integration', method: 'POST', url: BATCH, body: { requests: numbered }, ...sent })
}

export const CONTINUE = { headers: { prefer: 'continue-on-error' } }

/** The answers to the operations of a batch that was taken. */
export async function answersOf(answer: Promise<Answer>): Promise<readonly Answered[]> {
  const { status, json, text } = await answer
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  return json.responses
}

export const statusesOf = (answers: readonly Answered[]) => answers.map(({ status }) => status)

/** Creates a cost centre. */
export const creating = (attributeValue: string, rest: Partial<Asked> = {}): Asked => ({
  method: 'POST',
  url: VALUES,
  body: { attributeId: 'C1', attributeValue, description: `Value ${attributeValue}` },
  ...rest,
})

export const urlOf = (attributeValue: string) => `${VALUES}/C1/${attributeValue}/0`

export const describing = (attributeValue: string, description: string, rest: Partial<Asked> = {}): Asked => ({
  method: 'PATCH',
  url: urlOf(attributeValue),
  body: [{ op: 'replace', path: '/description', value: description }],
  ...rest,
})
