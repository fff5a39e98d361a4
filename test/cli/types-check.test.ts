// `tabularium types --check`: what has drifted since a file of types was written.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { driftOf, typesModel } from '../../src/cli/actions/service/run-types.ts'
import { run, temporaryFolder } from '../support/process.ts'
import { CLIENT_SECRET, startWorld } from '../support/world.ts'

const FILE = `// Written by \`tabularium types\`
import type { Coded, Group, List, Value } from '@tabularium/client'

export interface Customers {
  name: "customers"
  properties: {
    /** A text: with 'quotes' and {braces}. */
    customerId: Value<string>
    countryCode: Coded<"" | "NO" | "SE">
    invoice: Group<{
      creditLimit: Value<number>
    }>
    "odd name": Value<string>
    contactPoints: List<{
      address: Value<string>
    }>
  }
}

export interface Company {
  objects: {
    customers: Customers
  }
}
`
const driftTo = (text: string, from = FILE) =>
  driftOf(typesModel(from), typesModel(text)).map(({ breaks, text }) => `${breaks ? 'breaks' : 'fine'} ${text}`)

describe('the drift of types', () => {
  it('is none of a file that a formatter has changed', () => {
    const formatted = FILE.replaceAll('"', "'").replaceAll(/>$/gm, '>;').replace("'' | 'NO'", "\n | 'NO'\n | ''")
    expect(typesModel(formatted)).toEqual(typesModel(formatted.replaceAll(';', '')))
    expect(driftTo(formatted)).toEqual([])
    expect(typesModel(FILE).get('customers.contactPoints.address')).toEqual({ kind: 'Value', types: ['string'] })
  })

  it.each([
    ['customerId: Value<string>', '', ['breaks customers.customerId: removed']],
    ['customerId: Value<string>', 'customerId: Value<number>', ['breaks customers.customerId: string is number now']],
    ['customerId: Value<string>', 'customerId: Coded<string>', ['fine customers.customerId: Value is Coded now']],
    ['List<', 'Group<', ['breaks customers.contactPoints: List is Group now']],
    ['"NO" | "SE"', '"NO"', ['breaks customers.countryCode: the code "SE" is gone']],
    ['"NO" |', '"DK" | "NO" |', ['breaks customers.countryCode: the code "DK" may be read now']],
    ['"" | "NO" | "SE"', 'string', ['breaks customers.countryCode: "" | "NO" | "SE" is string now']],
    ['"customers"\n', '"clients"\n', ['breaks customers: removed', 'fine clients: added']],
  ])('tells what breaks: %j is %j', (before, now, drift) => {
    expect(driftTo(FILE.replace(before, now)).slice(0, 2)).toEqual(drift)
  })

  it('tells what was added, which breaks nothing, a group once', () => {
    const less = FILE.replace(/ {4}invoice[\s\S]*?}>\n/, '')
    expect(driftTo(FILE, less)).toEqual(['fine customers.invoice: added'])
    expect(driftTo(less)).toEqual(['breaks customers.invoice: removed'])
  })
})

describe('tabularium types --check', () => {
  const folder = temporaryFolder()
  let world: Awaited<ReturnType<typeof startWorld>> | undefined
  afterAll(async () => {
    folder.remove()
    await world?.stop()
  })

  it('compares a file with a running service', async () => {
    world = await startWorld('sqlite', 'test/fixtures/customers.yaml')
    const url = await world.application.server.listen({ port: 0, host: '127.0.0.1' })
    const types = (...more: string[]) =>
      run(['types', '--url', url, '--client', 'integration', ...more], {
        environment: { TABULARIUM_SECRET: CLIENT_SECRET },
      })
    const file = join(folder.path, 'company.ts')
    const printed = await types()
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    writeFileSync(file, printed.stdout)
    expect(await types('--check', file)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    writeFileSync(file, printed.stdout.replace('customerName: Value<string>', 'goneName: Value<string>'))
    expect(await types('--check', file)).toMatchObject({
      code: 1,
      stdout: 'breaks  customers.goneName: removed\nfine    customers.customerName: added\n',
      stderr: '',
    })
    writeFileSync(file, 'nothing')
    expect(await types('--check', file)).toMatchObject({ code: 2, stdout: '' })
  })
})
