// The type of each answer is the one that the service's JSON Schema of it has, by the compilers of TypeScript 7 and 5.9.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '#client'
import { companyTypes, unionOf } from '../../../src/cli/actions/service/company-types.ts'
import { misspelt, randomSelect, type SchemaNode, selectable, typeText } from '../../support/client-types.ts'
import { type Demo, startDemo } from '../../support/demo.ts'
import { firstOf, randomNumbers, SEED, triesOf } from '../../support/reliability-test.ts'

/** The second one is installed for `npm run test:long`. */
const COMPILERS = firstOf([
  ['TypeScript 7', 'node_modules/.bin/tsc'],
  ['TypeScript 5.9', 'test/generators/node_modules/.bin/tsc'],
] as const)
const SELECTS = triesOf({ long: 120, full: 2_000 })
const WRONG = triesOf({ long: 60, full: 500 })
const CALLS = 300
/** Some twice what 300 calls take: they must not grow with the documents of a company. */
const MOST_INSTANTIATIONS = 1_200_000
const LEDGER = 'general-ledger-transactions'
const CLIENT = resolve('packages/client/src')

const run = promisify(execFile)
const random = randomNumbers(SEED)
let demo: Demo
let client: Client
let folder: string
let company: string
let rows: Record<string, SchemaNode>
let codes: Record<string, string[]>

beforeAll(async () => {
  demo = await startDemo(1_000)
  client = createClient({ url: demo.address, clientId: 'demo', clientSecret: 'demo-secret' })
  folder = mkdtempSync(join(tmpdir(), 'tabularium-types-'))
  company = await companyTypes(client)
  const documents = await jsonOf<{ name: string }[]>('/v1/objects')
  rows = {}
  for (const { name } of documents) rows[name] = await rowOf(name)
  codes = {}
  for (const { name, description } of await jsonOf<{ name: string; description: string }[]>('/v1/objects/value-list'))
    codes[name] = [...(codes[name] ?? []), description]
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await demo.stop()
})

async function jsonOf<Json>(path: string): Promise<Json> {
  return (await (await client.request({ method: 'GET', path })).json()) as Json
}

async function rowOf(name: string, select?: string): Promise<SchemaNode> {
  const answer = await client.request({
    method: 'GET',
    path: `/v1/objects/${name}`,
    headers: { accept: 'application/schema+json' },
    query: { $select: select, ...(name === LEDGER ? { posted: true } : {}) },
  })
  return ((await answer.json()) as SchemaNode).items ?? {}
}

/** Compiles the program beside the types of the company. Answers what the compiler says. */
async function compile(compiler: string, program: string, ...flags: string[]): Promise<string> {
  const head = [
    `import { createClient } from '@tabularium/client'`,
    `import type { SelectError } from '${CLIENT}/types/row.ts'`,
    `import type { SelectedRow } from '${CLIENT}/types/select.ts'`,
    `import type { Company } from './company.ts'`,
    'type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false',
    'type Expect<T extends true> = T',
    "type Row<Name extends keyof Company['objects'], Select> = SelectedRow<Company['objects'][Name], Select>",
    "export const client = createClient<Company>({ url: '', clientId: '', clientSecret: '' })",
    'export type Used = [SelectError<string>, Expect<Same<1, 1>>, Row<never, undefined>]',
  ]
  writeFileSync(join(folder, 'company.ts'), company)
  writeFileSync(join(folder, 'program.ts'), [...head, program].join('\n'))
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'nodenext',
    types: [],
    lib: ['es2023', 'dom', 'dom.iterable'],
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    paths: { '@tabularium/client': [`${CLIENT}/index.ts`] },
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }))
  const outcome = run(resolve(compiler), ['-p', folder, '--pretty', 'false', ...flags]).catch((failed) => failed)
  return String((await outcome).stdout)
}

describe.each(COMPILERS)('The types of selects, compiled by %s', (_name, compiler) => {
  it('are those of the JSON Schema of each answer', async () => {
    expect(existsSync(compiler)).toBe(true)
    const union = (list: string) => unionOf(codes[list] ?? [])
    const names = Object.keys(rows)
    const lines: string[] = []
    for (let number = 0; number < SELECTS; number += 1) {
      const name = names[number % names.length] as string
      const select = number < names.length ? undefined : randomSelect(selectable(rows[name] as SchemaNode), random)
      const type = typeText(await rowOf(name, select), union)
      const row = `Row<${JSON.stringify(name)}, ${JSON.stringify(select)}>`
      lines.push(`export type T${number} = Expect<Same<${row}, ${type}>>`)
    }
    const told = await compile(compiler, lines.join('\n'))
    const [, line] = /program\.ts\((\d+)/.exec(told) ?? []
    expect(told, line && lines[Number(line) - 10]).toBe('')
  }, 600_000)

  it('name the property that is not there', async () => {
    const lines = Array.from({ length: WRONG }, (_, number) => {
      const [name, row] = Object.entries(rows)[number % Object.keys(rows).length] as [string, SchemaNode]
      const { select, name: wrong } = misspelt(Object.keys(selectable(row)), random)
      const error = `Row<${JSON.stringify(name)}, ${JSON.stringify(select)}> extends SelectError<infer Message> ? Message : ''`
      const text = `no property '${wrong}' on ${name}`
      return `export type W${number} = Expect<(${error}) extends \`${text}\${string}\` ? true : false>`
    })
    expect(await compile(compiler, lines.join('\n'))).toBe('')
    const error = await compile(compiler, "void client.objects.customers.list({ select: 'custmerName' })")
    expect(error).toContain(`SelectError<"no property 'custmerName' on customers; nearest: 'customerName'">`)
    expect(error).not.toContain('excessively deep')
  }, 600_000)

  it('want a state of the ledger, and none of other documents', async () => {
    const ledger = `client.objects['${LEDGER}']`
    const legal = [
      `void ${ledger}.aggregate({ aggregate: 'count() as number', parameters: { posted: true } })`,
      `void ${ledger}.list({ limit: 1, parameters: { historical: true, posted: false } })`,
      `void ${ledger}.count({ parameters: { registered: true, posted: true } })`,
      `void client.objects.customers.aggregate({ aggregate: 'count() as number' })`,
    ]
    expect(await compile(compiler, legal.join('\n'))).toBe('')
    const wrong = [
      `void ${ledger}.aggregate({ aggregate: 'count() as number' })`,
      `void ${ledger}.list({ limit: 1, parameters: { posted: false } })`,
      `void ${ledger}.count({ parameters: {} })`,
    ]
    const told = await compile(compiler, wrong.join('\n'))
    expect(told.match(/program\.ts\(\d+/g)).toHaveLength(wrong.length)
    expect(told).toContain("Property 'parameters' is missing")
  }, 600_000)

  it('take few instantiations for 300 calls', async () => {
    const names = Object.keys(rows)
    const calls = Array.from({ length: CALLS }, (_, number) => {
      const name = names[number % names.length] as string
      const select = randomSelect(selectable(rows[name] as SchemaNode), random)
      const states = name === LEDGER ? ', parameters: { posted: true }' : ''
      return `export const c${number} = await client.objects[${JSON.stringify(name)}].list({ select: ${JSON.stringify(select)}${states} })`
    })
    const told = await compile(compiler, calls.join('\n'), '--extendedDiagnostics')
    expect(told).not.toContain('error TS')
    const instantiations = Number(/Instantiations:\s+(\d+)/.exec(told)?.[1])
    console.log(compiler, instantiations, /Check time:\s+(\S+)/.exec(told)?.[1])
    expect(instantiations).toBeLessThan(MOST_INSTANTIATIONS)
  }, 600_000)
})
