// `tabularium query`, `get` and `patch`: questions and changes of a running service.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueryFlags } from '../../src/cli/actions/service/query.ts'
import { printQuery, tableCells } from '../../src/cli/actions/service/query.ts'
import type { PatchFlags } from '../../src/cli/actions/service/records.ts'
import { patchRecord, printRecord } from '../../src/cli/actions/service/records.ts'
import { create } from '../support/customers.ts'
import { run, temporaryFolder } from '../support/process.ts'
import { CLIENT_SECRET, startWorld } from '../support/world.ts'

const folder = temporaryFolder()
const HOSTILE = 'Evil \u001b[31m\u0085\u202e\u2028name'
let world: Awaited<ReturnType<typeof startWorld>>
let credentials: { url: string; clientId: string; clientSecret: string }

beforeAll(async () => {
  world = await startWorld('sqlite', 'test/fixtures/customers.yaml')
  const url = await world.application.server.listen({ port: 0, host: '127.0.0.1' })
  credentials = { url, clientId: 'integration', clientSecret: CLIENT_SECRET }
  for (const [customerId, customerName] of [
    ['1001', 'Berg, "Pumper"'],
    ['1002', 'Oslo'],
  ] as const) {
    await create(world, customerId, { customerName })
  }
})
afterAll(async () => {
  folder.remove()
  await world?.stop()
})

interface Printed {
  readonly output: string
  readonly error: string
}

async function printed(work: (outputs: Parameters<typeof printQuery>[3]) => Promise<void>, isTTY = false) {
  const output = Object.assign(new PassThrough(), { isTTY })
  const error = new PassThrough()
  const said = Promise.all([text(output), text(error)])
  await work({ output, error }).finally(() => {
    output.end()
    error.end()
  })
  const [told, complained] = await said
  return { output: told, error: complained } satisfies Printed
}

const query = (document: string, flags: QueryFlags = {}, isTTY = false) =>
  printed((outputs) => printQuery(credentials, document, flags, outputs), isTTY)
const get = (key: string, isTTY = false) =>
  printed((outputs) => printRecord(credentials, { resource: 'customers', key: [key] }, {}, outputs), isTTY)
const patch = (key: string, flags: PatchFlags & { file?: string; stdin?: string }) =>
  printed((outputs) =>
    patchRecord(
      credentials,
      { resource: 'customers', key: [key] },
      { file: undefined, ...flags, input: Readable.from([flags.stdin ?? '']) },
      outputs,
    ),
  )
const NAMES = { select: 'customerId,customerName,invoice(creditLimit)', orderBy: 'customerId' }

describe('tabularium query', () => {
  it('prints lines elsewhere, and a table on a terminal', async () => {
    const { output } = await query('customers', NAMES)
    expect(
      output
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { customerId: '1001', customerName: 'Berg, "Pumper"', invoice: { creditLimit: 0 } },
      { customerId: '1002', customerName: 'Oslo', invoice: { creditLimit: 0 } },
    ])
    const table = await query('customers', { ...NAMES, limit: 1 }, true)
    expect(table).toEqual({
      output: 'customerId  customerName    invoice.creditLimit\n1001        Berg, "Pumper"  0\n',
      error: '',
    })
    const none = await query('customers', { filter: "customerId eq '7'" }, true)
    expect(none).toEqual({ output: '', error: 'no records\n' })
  })

  it('prints JSON and CSV, and groups', async () => {
    const json = await query('customers', { ...NAMES, format: 'json' })
    expect(JSON.parse(json.output).map((row: { customerId: string }) => row.customerId)).toEqual(['1001', '1002'])
    expect(await query('customers', { filter: "customerId eq '7'", format: 'json' })).toMatchObject({ output: '[]\n' })
    const csv = await query('customers', { select: 'customerId,customerName', orderBy: 'customerId', format: 'csv' })
    expect(csv.output.replaceAll('\r', '')).toBe('customerId,customerName\n1001,"Berg, ""Pumper"""\n1002,Oslo\n')
    const groups = await query('customers', { groupBy: 'countryCode', aggregate: 'count()' })
    expect(JSON.parse(groups.output)).toEqual({ countryCode: 'NO', count: 2 })
  })

  it('keeps all digits of numbers', () => {
    const { headings, rows } = tableCells(['{"a":{"b":12345678901234567.8901},"c":[1.10]}', '{"c":[],"d":true}'])
    expect(headings).toEqual(['a.b', 'c', 'd'])
    expect(rows).toEqual([
      ['12345678901234567.8901', '[1.10]', ''],
      ['', '[]', 'true'],
    ])
  })

  it('tells a mistake of the question in one line, and prints nothing', async () => {
    await expect(query('customers', { select: 'custmerName' })).rejects.toThrow(
      /^Unknown property 'custmerName'[^\n]*$/,
    )
    const environment = { TABULARIUM_SECRET: CLIENT_SECRET }
    const place = ['--url', credentials.url, '--client', 'integration']
    const refused = await run(['query', 'customers', '--filter', 'nonsense eq', ...place], { environment })
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^tabularium: [^\n]+\n$/) })
    const misused = await run(['query', 'customers', '--limit', '0', ...place], { environment })
    expect(misused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--limit') })
  })
})

describe('tabularium get and patch', () => {
  it('print a record with its entity tag, and change it once', async () => {
    const before = await get('1002')
    const [, tag] = /^entity tag: "(.*)"\n$/.exec(before.error) ?? []
    expect(JSON.parse(before.output)).toMatchObject({ customerId: '1002', customerName: 'Oslo' })
    const set = ['/customerName=1002 = Oslo', '/invoice/creditLimit:=50000']
    const tried = await patch('1002', { set, ifMatch: tag, dryRun: true })
    expect(JSON.parse(tried.output)).toMatchObject({ customerName: '1002 = Oslo' })
    expect(await get('1002')).toEqual(before)
    const changed = await patch('1002', { set, ifMatch: tag })
    expect(JSON.parse(changed.output)).toMatchObject({ customerName: '1002 = Oslo', invoice: { creditLimit: 50000 } })
    const after = await get('1002')
    await expect(patch('1002', { set: ['/customerName=Late'], ifMatch: tag })).rejects.toThrow('changed')
    expect(await get('1002')).toEqual(after)
  })

  it('take a file of JSON Patch, or standard input', async () => {
    const operations = (value: string) => JSON.stringify([{ op: 'replace', path: '/customerName', value }])
    const file = join(folder.path, 'patch.json')
    writeFileSync(file, operations('Of a file'))
    expect(JSON.parse((await patch('1001', { file })).output)).toMatchObject({ customerName: 'Of a file' })
    const read = await patch('1001', { file: '-', stdin: operations('Of the input') })
    expect(JSON.parse(read.output)).toMatchObject({ customerName: 'Of the input' })
    await expect(patch('1001', { file: '-', stdin: '{' })).rejects.toMatchObject({ exitCode: 2 })
    await expect(patch('1001', { file: '-', stdin: '{}' })).rejects.toMatchObject({ exitCode: 2 })
    await expect(patch('1001', { set: ['customerName'] })).rejects.toMatchObject({ exitCode: 2 })
  })

  it('name the field that is wrong, and a record that is not there', async () => {
    const before = await get('1001')
    await expect(patch('1001', { set: ['/countryCode=XX'] })).rejects.toThrow(/\/countryCode: [^\n]+$/)
    expect(await get('1001')).toEqual(before)
    await expect(get('no/such')).rejects.toThrow(/^[^\n]+$/)
  })

  it('show no control of a record to a terminal', async () => {
    await create(world, '1003')
    await world.query(`update customer set customer_name = '${HOSTILE}' where customer_id = '1003'`)
    const flags = { select: 'customerName', filter: "customerId eq '1003'" }
    for (const { output } of [
      await get('1003', true),
      await query('customers', flags, true),
      await query('customers', { ...flags, format: 'ndjson' }, true),
      await query('customers', { ...flags, format: 'json' }, true),
      await query('customers', { ...flags, format: 'csv' }, true),
    ]) {
      expect(output).toContain('Evil')
      expect(output).not.toMatch(/[\u001b\u0085\u202e\u2028]/)
    }
    const { customerName } = JSON.parse((await get('1003', true)).output)
    expect(customerName).toBe(HOSTILE)
  })
})
