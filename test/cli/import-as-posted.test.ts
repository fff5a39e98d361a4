// An import writes many records at once. The result must equal that of posting the same records one by one:
// the same records and tags, the same change log, and the same messages for rejected records.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, describe, expect, it } from 'vitest'
import { flatMessages } from '../../src/transfer/record-findings.ts'
import type { DataLocation } from '../support/data-location.ts'
import { locationsWith } from '../support/initialized-location.ts'
import { call, credentials, run, serveHere, temporaryFolder } from '../support/process.ts'
import { FEWER_KINDS } from '../support/world.ts'

const SETUP = `
version: 1
companies:
  - id: EN
    name: Example Nordic AS
    customers: { attributeId: A4, mandatoryRelations: [LEGALID], legalValues: { countryCode: { valueList: COUNTRY }, customerGroupId: { attributeId: CG } } }
    attributes:
      - { id: C1, name: COSTC, contactPoints: true, owner: { attributeId: C2 } }
      - { id: C2, name: DEPT }
      - { id: C7, name: BATCH, numbering: { series: BATCH, from: 1, to: 3, prefix: B, width: 3 } }
      - { id: A4, name: CUSTOMER }
      - { id: CG, name: GROUP }
      - { id: LI, name: LEGAL }
      - { id: AT, name: ADDRTYPE }
    relations:
      - { id: REL1, name: Department, group: ORG, attributeId: C1, relatedAttributeId: C2 }
      - { id: BATCHDEPT, name: Batch, attributeId: C7, relatedAttributeId: C2 }
      - { id: LEGALID, name: Legal entity, attributeId: A4, relatedAttributeId: LI }
      - { id: PARENT, name: Parent, attributeId: A4, relatedAttributeId: A4 }
    attributeValues:
      C1: { CC0: There }
      C2: { D1: One }
      C7: { B002: Set up by hand }
      A4: { "900": Set up by hand }
      CG: { G: Group }
      LI: { NO1: Legal }
      AT: { "1": General }
    valueLists: { COUNTRY: { "NO": Norway } }
  - id: NU
    name: Numbered AS
    customers: { attributeId: A4, numbering: { series: CUST, from: 1, to: 2, prefix: K, width: 3 } }
    attributes:
      - { id: A4, name: CUSTOMER }
      - { id: AT, name: ADDRTYPE }
    attributeValues: { AT: { "1": General } }
roles:
  - { id: all, apis: { attribute-values: [create], customers: [create] } }
users:
  - { id: import, defaultCompany: EN, roles: { EN: [all], NU: [all] } }
clients:
  - { id: integration, user: import, secretEnv: TEST_CLIENT_SECRET }
`

type Body = Record<string, unknown>

const related = (relationId: string, relatedValue: string) => ({ relatedValues: [{ relationId, relatedValue }] })
const value = (attributeId: string, attributeValue: string, more: Body = {}): Body => ({
  attributeId,
  attributeValue,
  description: `${attributeId} ${attributeValue}`,
  ...more,
})
const numbered = (more: Body = {}): Body => ({ attributeId: 'C7', description: 'Numbered', ...more })

const VALUES: readonly Body[] = [
  value('C1', 'CC1', { owner: 'D1', customValue: 1.5, contactPoints: [{ contactPointType: '1' }] }),
  value('C1', 'CC1', { description: 'Twice in the file' }),
  value('C1', 'CC0', { description: 'There already' }),
  value('C1', 'CC0', { periodFrom: 202001, periodTo: 202012, description: 'Within what is there' }),
  value('XX', '1'),
  value('C1', 'CC2', { owner: 'D9', ...related('REL1', 'D9') }),
  value('C2', 'D9'),
  value('C1', 'CC2', { owner: 'D9', ...related('REL1', 'D9') }),
  value('C1', 'CC3', { periodFrom: 202001, periodTo: 202012, ...related('REL1', 'D1') }),
  value('C1', 'CC3', { periodFrom: 202101, periodTo: 202112 }),
  value('C1', 'CC3', { periodFrom: 202201, periodTo: 202212, ...related('REL1', 'D9') }),
  value('C1', 'CC3', { periodFrom: 202106, periodTo: 202201 }),
  value('C1', 'CC4', { periodFrom: 202001, periodTo: 202012 }),
  value('C1', 'CC4', { periodFrom: 202101, periodTo: 202112, ...related('REL1', 'D1') }),
  value('C1', 'CC5', { contactPoints: [{ contactPointType: '9' }], periodFrom: 202013 }),
  value('C1', 'CC6', { attributevalue: 'cc6' }),
  numbered(related('BATCHDEPT', 'D1')),
  numbered(related('BATCHDEPT', 'D0')),
  numbered({ attributeValue: 'B009' }),
  numbered(),
  numbered(),
  numbered(),
  value('C1', 'CC7', { customValue: 1e-9, description: 'A number that only the database can write' }),
]

const customer = (customerId: string | undefined, more: Body = {}): Body => ({
  ...(customerId === undefined ? {} : { customerId }),
  customerName: `Customer ${customerId}`,
  customerGroupId: 'G',
  countryCode: 'NO',
  contactPoints: [{ contactPointType: '1' }],
  ...related('LEGALID', 'NO1'),
  ...more,
})
const childOf = (parent: string) => ({
  relatedValues: [
    { relationId: 'LEGALID', relatedValue: 'NO1' },
    { relationId: 'PARENT', relatedValue: parent },
  ],
})

const CUSTOMERS: readonly Body[] = [
  customer('1'),
  customer('1', { customerName: 'Twice in the file' }),
  customer('1', { customerName: 'Twice in the file, and wrong', countryCode: 'XX' }),
  customer('2', { countryCode: 'XX', customerGroupId: 'H', contactPoints: [] }),
  customer('3', childOf('4')),
  customer('4', { payment: { status: 'Closed' } }),
  customer('5', childOf('4')),
  customer('6', childOf('1')),
  customer('7', { relatedValues: [] }),
  customer('900', { customerName: 'A value that is there' }),
  customer('', {}),
  customer('8', { customername: 'Given twice' }),
  customer('9', { invoice: { creditLimit: 1e-9 } }),
]

const NUMBERED: readonly Body[] = [
  customer(undefined, { relatedValues: [] }),
  customer(undefined, { relatedValues: [], countryCode: '' }),
  customer('K001', { relatedValues: [] }),
  customer(undefined, { relatedValues: [] }),
  customer(undefined, { relatedValues: [] }),
]

/** The imported files, in this order; the second file of customers refers to those of the first. */
const FILES: readonly (readonly [companyId: string, document: string, rows: readonly Body[]])[] = [
  ['EN', 'attribute-values', VALUES],
  ['EN', 'customers', CUSTOMERS],
  ['EN', 'customers', [customer('1'), customer('10'), customer('6', { countryCode: 'XX' })]],
  ['EN', 'attribute-values', [value('C1', 'CC1'), value('C1', 'CC8')]],
  ['NU', 'customers', NUMBERED],
]

describe.each(FEWER_KINDS)('An import into %s', (kind) => {
  const folder = temporaryFolder()
  const placeIn = locationsWith(kind, SETUP)
  afterAll(() => folder.remove())

  it('has the result of POST, record by record: records, tags, change log and rejections', async () => {
    const imported = await placeIn(join(folder.path, 'imported'))
    const posted = await placeIn(join(folder.path, 'posted'))
    const rejected = await importAll(imported)
    expect(await postAll(posted)).toEqual(rejected)
    expect(rejected.flat().length).toBeGreaterThan(20)

    const state = await stateOf(imported)
    expect(state).toEqual(await stateOf(posted))
    for (const rows of Object.values(state)) expect(rows.length).toBeGreaterThan(3)
    expect(await run(['audit', 'verify', ...imported.flags])).toMatchObject({ code: 0 })
  })
})

/** Imports each file; returns line, column and message of each finding, by file. */
async function importAll({ data, flags }: DataLocation): Promise<unknown[][]> {
  const rejected: unknown[][] = []
  for (const [no, [companyId, document, rows]] of FILES.entries()) {
    const file = join(data, `${no}.ndjson`)
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    const { stdout, stderr } = await run(['import', document, file, '--company', companyId, ...flags])
    expect({ stdout, stderr }).toEqual({
      stdout: expect.stringMatching(/^\d+ rows? imported, \d+ rejected/),
      stderr: '',
    })
    rejected.push(rejectsOf(`${file}.rejects.csv`))
  }
  return rejected
}

function rejectsOf(file: string): unknown[] {
  if (!existsSync(file)) return []
  const rows = parse(readFileSync(file, 'utf8'), { from_line: 2 }) as string[][]
  // A malformed row is reported before those that the rules reject.
  return rows.map(([line, column, message]) => [Number(line), column, message]).sort(byLine)
}

const byLine = ([one]: unknown[], [other]: unknown[]) => Number(one) - Number(other)

/** Posts each record of each file; returns the same for the rejected ones. */
async function postAll({ flags }: DataLocation): Promise<unknown[][]> {
  const service = await serveHere(flags)
  try {
    const refused: unknown[][] = []
    for (const [companyId, document, rows] of FILES) {
      const findings: unknown[] = []
      for (const [index, row] of rows.entries()) {
        const body = { ...row, companyId }
        const answer = await call(`${service.address}/v1/${document}`, {
          method: 'POST',
          body,
          authorization: credentials,
        })
        if (answer.status === 201) continue
        expect(answer.status).toBeLessThan(500)
        const messages = flatMessages(JSON.parse(answer.text) as object)
        findings.push(...messages.map(({ column, message }) => [index + 1, column || fieldNamedIn(message), message]))
      }
      refused.push(findings)
    }
    return refused
  } finally {
    await service.stop()
  }
}

/** A body that cannot be read is refused by a message alone, which names the field; an import has it in the column. */
const fieldNamedIn = (message: string) => /^The field (\S+) must be /.exec(message)?.[1] ?? ''

type Rows = Record<string, unknown>[]

/** All records and the change log, without what differs from one run to another. */
async function stateOf({ query }: DataLocation): Promise<Record<string, Rows>> {
  const log = await query('select * from audit_entry order by company_id, entry_no')
  const nameOf = new Map(
    log.map((entry) => [`${entry.company_id} ${entry.entry_no}`, `${entry.entity} ${entry.record_key}`]),
  )
  const state: Record<string, Rows> = {
    log: log.map(({ company_id, entity, record_key, operation, user_id, before, after }) => {
      const nameOfCreation = (_text: string, no: string) => `"created":"${nameOf.get(`${company_id} ${no}`)}"`
      const told = withoutTime(String(after)).replace(/"createdNo":(\d+)/, nameOfCreation)
      return { company_id, entity, record_key, operation, user_id, before, after: told }
    }),
  }
  for (const table of ['attribute_value', 'customer', 'attribute_relation']) {
    const rows = await query(`select * from ${table} order by 1, 2, 3, 4, 5`)
    state[table] = rows.map(({ updated_at: _when, created_no, change_no, ...row }) => {
      const [created, changed] = [created_no, change_no].map((no) => nameOf.get(`${row.company_id} ${no}`))
      return { ...row, created, changed }
    })
  }
  return state
}

const withoutTime = (text: string) => text.replace(/"updatedAt":"[^"]*"/g, '"updatedAt":""')
