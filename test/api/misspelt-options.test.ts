// A misspelt option with a `$` is refused by every operation (decision 0): what is ignored would answer another question,
// or write what should only have been tried.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sent, startWorld, type World } from '../support/world.ts'

type Operations = Readonly<Record<string, Readonly<Record<string, object>>>>

/** Paths have these values: they are looked for before the options are read. */
const VALUES: Readonly<Record<string, string>> = { attributeId: 'C6', id: '00000000-0000-4000-8000-000000000000' }

let world: World & { stop(): Promise<void> }
beforeAll(async () => {
  world = await startWorld('sqlite', 'test/fixtures/fuzz.yaml')
})
afterAll(() => world.stop())

it('is refused by every operation, which writes nothing', async () => {
  const { json } = await world.send({ url: '/openapi.json' })
  const operations = Object.entries(json.paths as Operations).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() as NonNullable<Sent['method']> })),
  )
  const asked = operations.filter(({ path }) => path.startsWith('/v1/'))
  const before = await world.dump()
  const others: string[] = []
  for (const { path, method } of asked) {
    const url = `${path.replace(/\{(.*?)\}/g, (_part, name) => VALUES[name] ?? '1')}?$validteOnly=true`
    const isPreview = path.endsWith('/batch/preview')
    const type = isPreview
      ? 'text/csv'
      : /s\/batch(?:\/patches)?$/.test(path)
        ? 'application/x-ndjson'
        : 'application/json'
    const sent = method === 'POST' ? { body: '{}', headers: { 'content-type': type } } : {}
    const { status, text } = await world.send({ as: 'integration', method, url, ...sent })
    const isRefused = status === 400 && (method === 'HEAD' || text.includes("Unknown query option '$validteOnly'"))
    if (!isRefused) others.push(`${method} ${path}: ${status} ${text.slice(0, 80)}`)
  }
  expect([asked.length > 80, others]).toEqual([true, []])
  expect(await world.changesSince(before)).toEqual([])
})
