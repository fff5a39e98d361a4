// The parser of AsyncAPI reads /asyncapi.json, and finds no fault in it.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRuled } from '../support/ruled-records.ts'
import { install } from './generate.ts'

let world: Awaited<ReturnType<typeof startRuled>>

beforeAll(async () => {
  await install()
  world = await startRuled('sqlite')
})
afterAll(() => world?.stop())

interface Parser {
  parse(text: string): Promise<{
    document?: { operations(): { all(): { id(): string; messages(): { all(): unknown[] } }[] } }
    diagnostics: { severity: number; message: string; path: string[] }[]
  }>
}

it('/asyncapi.json is valid AsyncAPI 3, and each of its operations has messages', async () => {
  const { text } = await world.send({ url: '/asyncapi.json' })
  const file = join(import.meta.dirname, 'node_modules/@asyncapi/parser/cjs/index.js')
  const { Parser } = (await import(file)) as { Parser: new () => Parser }
  const { document, diagnostics } = await new Parser().parse(text)
  const ERROR_OR_WARNING = 1
  expect(diagnostics.filter(({ severity }) => severity <= ERROR_OR_WARNING)).toEqual([])
  const operations = document?.operations().all() ?? []
  expect(operations.map((one) => [one.id(), one.messages().all().length > 30])).toEqual([
    ['readChanges', true],
    ['deliverWebhook', true],
  ])
})
