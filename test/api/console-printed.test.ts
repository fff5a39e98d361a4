// What the console prints of a question works as it is printed, for every document: its addresses are answered, its
// command line and its program ask the same.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '#client'
import { fetchOf, SERVICE_URL } from '../client/world-client.ts'
import { CLIENT_SECRET, startWorld, type World } from '../support/world.ts'

/** Its types are those of a browser, so it is no part of this program. */
const PRINTED: string = '../../console/src/pages/query/printed.ts'
const { printed } = await import(/* @vite-ignore */ PRINTED)

const QUESTIONS: readonly Readonly<Record<string, string | number>>[] = [
  { limit: 2 },
  { aggregate: 'count() as records', having: 'records gt 0' },
  { document: 'customers', filter: "customerName ne 'O''Brien & \\ Sons'", orderBy: 'customerId desc', limit: 5 },
  { document: 'customers', groupBy: 'countryCode', aggregate: 'count() as records', orderBy: 'records desc' },
]

describe('What the console prints of a question', () => {
  let world: World & { stop(): Promise<void> }
  let documents: string[] = []
  beforeAll(async () => {
    world = await startWorld('sqlite', 'test/fixtures/own-records.yaml')
    const { json } = await world.send({ as: 'integration', url: '/v1/objects' })
    documents = (json as { name: string }[]).map(({ name }) => name)
  })
  afterAll(() => world.stop())

  const ask = (address: string) => world.send({ as: 'integration', url: address.replace(SERVICE_URL, '') })

  it.each(QUESTIONS)('is answered: %j', async (question) => {
    expect(documents).toEqual(expect.arrayContaining(['customers', 'general-ledger-transactions']))
    for (const document of question.document === undefined ? documents : [question.document]) {
      const shown = printed(SERVICE_URL, 'EN', { ...question, document })
      const answers = await Promise.all([shown.url, shown.excelFile, shown.excel].map(ask))
      expect(answers.map(({ status, text }) => [document, status, status === 200 || text])).toEqual(
        answers.map(() => [document, 200, true]),
      )
      const [json, file, connection] = answers
      expect(file?.text).toMatch(/^\uFEFF/)
      expect(connection?.headers['content-type']).toContain('text/x-ms-odc')
      expect(addressOfCurl(shown.curl)).toBe(shown.url.replaceAll("'", '%27'))
      expect(await rowsOfProgram(shown.typescript)).toEqual(json?.json)
    }
  })

  /** The last word of the command as a shell reads it. */
  const addressOfCurl = (curl: string) =>
    execFileSync('sh', ['-c', `${curl.replace('curl ', 'printf "%s\\n" ')} | tail -1`], { encoding: 'utf8' }).trim()

  /** What the printed program reads. */
  async function rowsOfProgram(text: string): Promise<unknown> {
    const code = text.replace(/^import .*\n/, '').replace("'CLIENT'", "'integration'")
    const AsyncFunction = (async () => {}).constructor as new (
      ...parts: string[]
    ) => (...values: unknown[]) => Promise<unknown>
    const create = (place: Parameters<typeof createClient>[0], settings: object) =>
      createClient(place, { fetch: fetchOf(world), ...settings })
    const program = new AsyncFunction('createClient', 'process', `${code}\nreturn rows`)
    return program(create, { env: { CLIENT_SECRET } })
  }
})
