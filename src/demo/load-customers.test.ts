import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld } from '../../test/support/world.ts'
import { Caller } from '../access/caller.ts'
import { customerRecord } from '../records/customers/customer-record.ts'
import { getRecord } from '../records/shared/pipeline/record-pipeline.ts'
import { loadCustomers } from './load-customers.ts'

const LINES = readFileSync('examples/demo/customers.ndjson', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { companyId: string; customerName: string })

describe('the customers of the demo', () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  const caller = new Caller({ id: 'demo', defaultCompany: 'EN' }, 'demo', new Map())
  const reports: number[][] = []

  beforeAll(async () => {
    world = await startWorld('sqlite', 'examples/demo/company.yaml')
    await loadCustomers(world.application.service, (...counts) => reports.push(counts))
  })
  afterAll(() => world?.stop())

  const nameOf = async (companyId: string, customerId: string) => {
    const { body } = await getRecord(world.application.service, customerRecord, {
      caller,
      companyId,
      key: customerId,
    })
    return (JSON.parse(body) as { customerName: string }).customerName
  }
  const namesOf = (companyId: string) =>
    LINES.filter((line) => line.companyId === companyId).map((line) => line.customerName)

  it('has a number for each line, in the order of the file', async () => {
    const names = namesOf('EN')
    expect(names.length).toBe(2000)
    for (const [index, name] of names.entries()) expect(await nameOf('EN', String(100_000 + index))).toBe(name)
  })

  it('has those of the subsidiary in their own series', async () => {
    const names = namesOf('SV')
    expect(names.length).toBe(60)
    for (const [index, name] of names.entries()) expect(await nameOf('SV', String(50_000 + index))).toBe(name)
  })

  it('tells how far it is, up to the end', () => {
    expect(reports.at(0)).toEqual([64, LINES.length])
    expect(reports.at(-1)).toEqual([LINES.length, LINES.length])
  })

  it('makes nothing a second time', async () => {
    const before = await world.dump()
    await loadCustomers(world.application.service, () => expect.unreachable())
    expect(await world.changesSince(before)).toEqual([])
  })
})
