// A scenario: one request, and everything that a client can observe of its answer.
import { expect, it } from 'vitest'
import type { Sent, World } from './world.ts'

export interface Scenario extends Sent {
  /** A sentence; it cites the rule that the scenario tests. */
  readonly name: string
  readonly status: number
  /** The complete body, compared member by member. */
  readonly json?: unknown
  /** Members that the body must have, at any depth. */
  readonly includes?: object
  /** The code of the plain shape, or of the only finding. */
  readonly code?: number
  /** The message of the plain shape, word for word. */
  readonly message?: string
  /** The findings by position: `field`, `contactPoints.0.field`. */
  readonly findings?: Readonly<Record<string, readonly [code: number, message: string]>>
  readonly answerHeaders?: Readonly<Record<string, string>>
  /** `unchanged`: nothing was written, and no number was drawn from a series. */
  readonly stored?: 'unchanged'
}

export function runScenarios(world: () => World, scenarios: readonly Scenario[]): void {
  for (const scenario of scenarios) {
    it(scenario.name, async () => {
      const isRefusal = scenario.status >= 400
      const before = isRefusal || scenario.stored === 'unchanged' ? await world().dump() : undefined
      const answer = await world().send({ as: 'integration', ...scenario })
      expect({ status: answer.status, ...(answer.status === scenario.status ? {} : { text: answer.text }) }).toEqual({
        status: scenario.status,
      })
      if ('json' in scenario) expect(answer.json).toEqual(scenario.json)
      if (scenario.includes) expect(answer.json).toMatchObject(scenario.includes)
      if (scenario.code !== undefined) expect(answer.json.code).toBe(scenario.code)
      if (scenario.message !== undefined) expect(answer.json.message).toBe(scenario.message)
      if (scenario.findings) expect(findingsIn(answer.json)).toEqual(scenario.findings)
      for (const [name, value] of Object.entries(scenario.answerHeaders ?? {})) expect(answer.headers[name]).toBe(value)
      if (before !== undefined) expect(await world().changesSince(before)).toEqual([])
    })
  }
}

type Messages = Record<string, { code: number; message: string }[]>

/** Every finding of a rejected record, by its path. */
export function findingsIn(body: unknown, path = ''): Record<string, [number, string]> {
  if (typeof body !== 'object' || body === null) return {}
  const found: Record<string, [number, string]> = {}
  for (const [name, value] of Object.entries(body)) {
    if (name !== 'notificationMessages') {
      Object.assign(found, findingsIn(value, `${path}${name}.`))
      continue
    }
    for (const [field, messages] of Object.entries(value as Messages)) {
      for (const { code, message } of messages) found[path + field] = [code, message]
    }
  }
  return found
}
