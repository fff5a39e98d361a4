// What the README and the guides show is sent, typed and run as it is printed, and is answered as it is printed: the
// requests and filters on each store in the full form, all snippets beside the demo on SQLite.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SetupSchema } from '../../src/setup/file/setup-schema.ts'
import { emptyLocation } from '../support/data-location.ts'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'
import { FOREIGN } from '../support/foreign-requests.ts'
import { blocksOf, filtersOf, PAGES } from '../support/guides.ts'
import { missingIn } from '../support/printed-answer.ts'
import { listening, type Serving, start } from '../support/process.ts'
import { FEWER_KINDS } from '../support/world.ts'
import { NAMED_FILE, RUN_LANGUAGES, runBlock } from './snippets.ts'

/** Their commands need more than the demo: the test runs them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'guides/administration/litestream.md': 'test/reliability/durability/litestream.test.ts',
  'guides/administration/postgresql.md': 'test/cli/postgres-reporting.test.ts',
  'guides/administration/distribute.md': 'test/cli/distribute.test.ts',
  'guides/start/declare.md': 'test/cli/followed-pages.test.ts',
  'guides/start/move.md': 'test/cli/followed-pages.test.ts',
  'guides/administration/mirror.md': 'test/cli/mirror.test.ts',
  'guides/administration/replicas.md': 'test/api/read-replicas.test.ts',
}

const printed = PAGES.flatMap(blocksOf)
const blocks = printed.filter(({ page }) => !(page in ELSEWHERE))
const requests = blocks.filter(({ language }) => language === 'http')
const filters = PAGES.flatMap(filtersOf)
const snippets = blocks.filter(({ language }) => RUN_LANGUAGES.includes(language))
const foreign = blocks.filter(({ language }) => language in FOREIGN)
const setups = printed.filter(({ language, text }) => language === 'yaml' && !NAMED_FILE.test(text))

/** The sources of the client as the package that programs import. */
function installClient(folder: string): void {
  const place = join(folder, 'node_modules/@tabularium/client')
  const sources = pathToFileURL('packages/client/src/index.ts').href
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{ "type": "module", "exports": "./index.js" }')
  writeFileSync(join(place, 'index.js'), `export * from '${sources}'\n`)
}

/** The demo takes long to make on PostgreSQL: the full form asks it too. */

describe.each(FEWER_KINDS)('The guides on %s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-guides-'))
  let demo: Serving | undefined
  let greeting = ''

  beforeAll(async () => {
    const { flags } = await emptyLocation(kind, join(folder, 'data'))
    const options = ['--port', '0', '--log-level', 'error', ...flags]
    const running = start(['demo', ...options])
    running.child.stdout?.on('data', (text: Buffer) => (greeting += text))
    demo = await listening(running)
    // A setup would not be applied to the folder of the demo.
    rmSync(join(folder, 'data/demo.json'), { force: true })
    cpSync('examples/demo/company.yaml', join(folder, 'company.yaml'))
    writeFileSync(join(folder, 'shop.csv'), 'customerId,aliasName\n100001,FALK\n')
    writeFileSync(join(folder, 'duty.txt'), 'Duty week 42')
    installClient(folder)
    for (const name of ['backup', 'etc/tabularium', 'srv', 'var/lib'])
      mkdirSync(join(folder, name), { recursive: true })
    cpSync('examples/demo/company.yaml', join(folder, 'etc/tabularium/company.yaml'))
  })
  afterAll(async () => {
    demo?.child.kill('SIGINT')
    await demo?.ended
    rmSync(folder, { recursive: true, force: true })
  })

  const place = () => ({ folder, address: demo?.address ?? '' })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(place().address + path, { ...init, headers: { ...DEMO_AUTHORIZATION, ...(init.headers as object) } })
  /** Sends what is printed, which may stand on several lines. */
  const send = (printed: string) => {
    const [head = '', body] = printed.split('\n\n')
    const [line = '', ...lines] = head.replaceAll(/\n\s+/g, '').split('\n')
    const [, method = '', path = '', options = ''] = /^(\w+) ([^?]+)(.*)$/.exec(line) ?? []
    const headers = Object.fromEntries(lines.map((one) => one.split(': ')))
    return ask(path + encodeURI(options).replaceAll('+', '%2B'), { method, headers, ...(body && { body }) })
  }

  it.each(filters)('$page: finds $found of $document with $filter', async ({ document, filter, found }) => {
    const option = `${document.includes('?') ? '&' : '?'}$filter=${filter}`
    const reply = await send(`HEAD /v1/objects/${document}${option}`)
    expect([reply.status, reply.headers.get('x-erp-total-count')]).toEqual([200, String(found)])
  })

  it.each(requests)('$page: answers $text', async ({ text, answer }) => {
    const reply = await send(text)
    expect(reply.status).toBe(Number(answer?.note || 200))
    expect(missingIn(await reply.text(), answer?.text ?? '')).toBeUndefined()
  })

  it('show every function and every operator of the language in a filter that is run', async () => {
    const refused = await send("GET /v1/objects/customers?$filter=none() eq 'x'")
    const { message } = (await refused.json()) as { message: string }
    const functions = /functions are (.*)$/.exec(message)?.[1]?.split(', ') ?? []
    expect(functions.length).toBeGreaterThanOrEqual(12)
    const words = filters.flatMap(({ filter }) => filter.replaceAll(/'(?:[^']|'')*'/g, "''").match(/[a-z]+/g) ?? [])
    const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'and', 'or', 'not', 'any', 'all', 'null', 'true']
    expect([...functions, ...operators].filter((word) => !words.includes(word))).toEqual([])
  })

  describe.runIf(kind === 'sqlite')('beside the demo', () => {
    it.each(snippets)('$page: $language runs $text', async (block) => {
      const printed = await runBlock(block, place())
      if (block.answer) expect(missingIn(printed, block.answer.text)).toBeUndefined()
    })

    it.each(foreign)('$page: the requests of $language are answered', async ({ language, text }) => {
      const found = FOREIGN[language]?.(text) ?? []
      expect(found.length).toBeGreaterThan(0)
      for (const { method, path, headers, body } of found) {
        const reply = await ask(path, { method: method.toUpperCase(), headers, ...(body && { body }) })
        expect({ path, status: reply.status, text: await reply.text() }).toEqual({
          path,
          status: method === 'Post' ? 201 : 200,
          text: expect.stringMatching(/^[^[]|^\[\{/),
        })
      }
    })

    it('greets with a curl line that works when pasted', async () => {
      const line = greeting.split('\n').find((one) => one.includes('curl') && one.includes('attribute-values')) ?? ''
      const { stdout } = await promisify(execFile)('bash', ['-c', line])
      expect(JSON.parse(stdout)).toHaveLength(3)
    })
  })
})

describe('The guides', () => {
  it.each(setups)('$page: a setup takes $text', ({ text }) => {
    const sections = Type.Partial(SetupSchema, { additionalProperties: false })
    // A page shows a part of a document or company.
    const errors = Value.Errors(sections, parse(text)).filter(({ keyword }) => keyword !== 'required')
    expect(errors.map(({ instancePath, message }) => [instancePath, message])).toEqual([])
  })

  it('have no block in a language that nothing runs', () => {
    const known = ['http', ...RUN_LANGUAGES, ...Object.keys(FOREIGN)]
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([])
  })
})
