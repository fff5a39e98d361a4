// What others make of `$metadata` and of the answers: the schemas of the standard, odata2ts, @sap/cds and odata-query.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEMO_AUTHORIZATION, type Demo, startDemo } from '../support/demo.ts'
import { install } from './generate.ts'

const run = promisify(execFile)
const FOLDER = import.meta.dirname
const MADE = join(FOLDER, 'made-odata')
const SCHEMAS = join(FOLDER, 'node_modules/odata-csdl/schemas')
/** The generators are installed apart from the project's own packages. */
const require = createRequire(join(FOLDER, 'package.json'))

interface Customer extends Readonly<Record<string, unknown>> {
  readonly customerId: string
  readonly customerName: string
  readonly contactPoints: readonly object[]
}

interface Answer extends Customer {
  readonly value: readonly Customer[]
  readonly '@odata.count': number
}

interface Compiled {
  session(options: object): Promise<{
    readonly customers: { readonly value: readonly Customer[]; readonly '@odata.count': number }
    readonly one: Customer
    readonly items: { readonly value: readonly object[] }
    readonly item: object
  }>
}

interface Select {
  columns(...names: string[]): Select
  where(condition: object): Select
  orderBy(order: string): Select
  limit(rows: number): Select
}

interface Cds {
  readonly connect: { to(settings: object): Promise<{ run(query: Select): Promise<readonly Customer[]> }> }
  readonly ql: { readonly SELECT: { from(entitySet: string): Select } }
}

let demo: Demo
let root: string
let metadata: string

beforeAll(async () => {
  await install()
  demo = await startDemo(500)
  root = `${demo.address}/odata/v4/EN`
  metadata = await (await fetch(`${root}/$metadata`, { headers: DEMO_AUTHORIZATION })).text()
})
afterAll(() => demo?.stop())

const ask = async (path: string) => {
  const answer = await fetch(root + path, { headers: DEMO_AUTHORIZATION })
  return { status: answer.status, json: (await answer.json()) as Answer }
}

it('$metadata is valid against the schemas of CSDL in XML', async () => {
  const { validateXML } = (await import(join(FOLDER, 'node_modules/xmllint-wasm/index-node.js'))) as {
    validateXML(options: object): Promise<{ valid: boolean; errors: readonly unknown[] }>
  }
  const fileOf = (fileName: string) => ({ fileName, contents: readFileSync(join(SCHEMAS, fileName), 'utf8') })
  const validate = (contents: string) =>
    validateXML({
      xml: { fileName: 'metadata.xml', contents },
      schema: [fileOf('edmx.xsd')],
      preload: [fileOf('edm.xsd')],
    })
  expect(await validate(metadata)).toMatchObject({ valid: true, errors: [] })
  expect((await validate(metadata.replace('<PropertyRef', '<PropertyReference'))).valid).toBe(false)
})

it('$metadata in JSON, as OASIS converts it, is valid against the schema of CSDL in JSON', () => {
  const { xml2json } = require('odata-csdl') as { xml2json(text: string): Record<string, unknown> }
  const Ajv = require('ajv') as new (
    options: object,
  ) => { compile(schema: unknown): ((data: unknown) => boolean) & { errors?: unknown } }
  const validate = new Ajv({ strict: false }).compile(
    JSON.parse(readFileSync(join(SCHEMAS, 'csdl.schema.json'), 'utf8')),
  )
  const json = xml2json(metadata)
  expect([validate(json), validate.errors]).toEqual([true, null])
})

it('a client of odata2ts compiles and is answered', async () => {
  rmSync(MADE, { recursive: true, force: true })
  mkdirSync(MADE)
  writeFileSync(join(MADE, 'package.json'), '{ "type": "commonjs" }')
  writeFileSync(join(MADE, 'metadata.xml'), metadata)
  const tool = (name: string, ...args: string[]) =>
    run(process.execPath, [join(FOLDER, 'node_modules/.bin', name), ...args], { cwd: FOLDER }).catch((error) => {
      throw new Error(`${name}: ${error.stdout}${error.stderr}`)
    })
  await tool(
    'odata2ts',
    '-s',
    join(MADE, 'metadata.xml'),
    '-o',
    join(MADE, 'client'),
    '-m',
    'service',
    '-e',
    'ts',
    '-name',
    'Tabularium',
  )
  await tool('tsc', '--project', join(FOLDER, 'odata/tsconfig.json'))
  const { session } = require(join(MADE, 'compiled/odata/session.js')) as Compiled
  const { customers, one, items, item } = await session({ root, headers: DEMO_AUTHORIZATION })
  const [first] = customers.value
  expect(customers.value).toHaveLength(3)
  expect(customers['@odata.count']).toBeGreaterThan(3)
  expect(first).toMatchObject({ customerName: expect.stringContaining('berg'), countryCode_text: 'Norway' })
  expect(one).toMatchObject({ customerId: first?.customerId, customerName: first?.customerName })
  expect(first?.contactPoints.length).toBeGreaterThan(0)
  expect(items.value).toMatchObject(first?.contactPoints ?? [])
  expect(item).toMatchObject({ ...first?.contactPoints[0], customerId: first?.customerId, position: 1 })
})

it('queries of odata-query are answered', async () => {
  const { default: buildQuery } = require('odata-query') as { default(options: object): string }
  const isNordic = { countryCode: { in: ['NO', 'SE'] } }
  const isBerg = { customerName: { contains: 'berg' } }
  const hasPoint = { contactPoints: { any: { sortOrder: { ge: 0 } } } }
  const select = ['customerId', 'countryCode']
  const paged = { orderBy: ['customerName desc'], top: 3, skip: 1, count: true }
  const expand = { contactPoints: { select: ['sortOrder'] } }
  const filter = { and: [isNordic, isBerg, hasPoint] }
  const { status, json } = await ask(`/customers${buildQuery({ select, filter, expand, ...paged })}`)
  expect([status, json.value.length]).toEqual([200, 3])
  expect(json['@odata.count']).toBeGreaterThan(3)
  const [first] = json.value
  const [customerId, countryCode] = [first?.customerId, first?.countryCode]
  expect(['NO', 'SE']).toContain(countryCode)
  const key = await ask(`/customers${buildQuery({ key: customerId, select })}`)
  expect(key).toMatchObject({ status: 200, json: { customerId, countryCode } })
  const aggregate = { customerId: { with: 'countdistinct', as: 'customers' } }
  const transform = [{ filter: isBerg, groupBy: { properties: ['countryCode'], transform: [{ aggregate }] } }]
  const groups = await ask(`/customers${buildQuery({ transform })}`)
  expect(groups.status).toBe(200)
  expect(groups.json.value).toContainEqual({ countryCode: 'NO', customers: expect.any(Number) })
})

it('@sap/cds reads it as a remote service', async () => {
  const cds = require('@sap/cds') as Cds
  const [username, password] = ['demo', 'demo-secret']
  const credentials = { url: root, authentication: 'BasicAuthentication', username, password }
  const remote = await cds.connect.to({ kind: 'odata', impl: '@sap/cds/srv/remote-service.js', credentials })
  const { SELECT } = cds.ql
  const condition = { countryCode: 'NO', customerName: { '>=': 'B' } }
  const query = SELECT.from('customers').columns('customerId', 'customerName').where(condition)
  const customers = await remote.run(query.orderBy('customerName').limit(2))
  expect(customers).toHaveLength(2)
  const [first] = customers
  expect(first?.customerName).toMatch(/^B/)
  const points = SELECT.from('customers_contactPoints').where({ customerId: first?.customerId }).orderBy('position')
  expect((await remote.run(points)).map(({ position }) => position)).toContain(1)
})
