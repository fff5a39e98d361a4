// `advise`: reports the slow queries of a running service, by the real command line, on SQLite and on PostgreSQL.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { objects } from '../support/object-records.ts'
import { run, temporaryFolder } from '../support/process.ts'
import { STORE_KINDS, startWorld, type World } from '../support/world.ts'

const FIXTURE = 'test/fixtures/objects.yaml'

describe.each(STORE_KINDS)('advise on %s', (kind) => {
  let world: Awaited<ReturnType<typeof startWorld>> | undefined
  afterEach(async () => {
    await world?.stop()
    world = undefined
  })

  const storeOf = ({ folder }: World) => [
    '--data',
    folder,
    ...(kind === 'postgres' ? ['--database', world?.databaseUrl() ?? ''] : []),
  ]

  /** Every query counts as slow for this service. */
  const started = async () => {
    world = await startWorld(kind, FIXTURE, '', { slowQueryMs: 0 })
    return world
  }

  const asked = async (own: World, urls: readonly string[]) => {
    for (const url of urls) expect([url, (await own.send({ as: 'integration', url })).status]).toEqual([url, 200])
    await own.application.slowQueries.write()
  }

  it('names queries by their shape, with the plan and the index that would serve them', async () => {
    const own = await started()
    await asked(own, [
      objects('work-orders', { filter: "description eq 'canary' and stage ge 7", orderBy: 'stage' }),
      objects('work-orders', { filter: "description eq 'other canary' and stage ge 8", orderBy: 'stage' }),
      objects('customers', { filter: "payment/bankAccount eq 'canary'" }),
      objects('attribute-values', { filter: "contains(description,'canary')" }),
      objects('general-ledger-transactions', { posted: 'true', filter: "externalReference eq 'canary'" }),
      objects('customers', { filter: "customerId eq 'canary'" }),
      objects('general-ledger-transactions', {
        posted: 'true',
        groupBy: 'accountingInformation/account,period',
        aggregate: 'sum(amounts/amount) as canary,average(amounts/amount),count()',
        having: 'canary gt 1',
      }),
    ])
    const { code, stdout, stderr } = await run(['advise', ...storeOf(own)])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain('canary')
    expect(stdout).toMatch(/^work-orders: 2 times, mean \d+ ms, worst \d+ ms, last 20\S+Z$/m)
    expect(stdout).toContain('  filter: description eq ? and stage ge ?\n  order: stage\n  plan: ')
    expect(stdout).toContain('  an index would serve it: [description, stage]\n')
    expect(stdout).toContain('  a text index would serve it: description\n')
    expect(stdout).toContain('  an index would serve it: [state, externalReference]\n')
    expect(stdout).toContain('  groups: accountingInformation/account, period\n  computed of: amounts/amount\n')
    expect(stdout).toContain(
      '  an index would serve it: [state, accountingInformation/account, period, amounts/amount]\n',
    )
    expect(stdout).toMatch(/filter: customerId eq \?\n( {2}plan: .*\n)+ {2}no further index would serve it\n/)
    const snippet = stdout.slice(stdout.indexOf('For the setup:'))
    expect(snippet).toMatch(/^ {2}general-ledger-transactions: \[.*\[state, externalReference\]/m)
    for (const line of [
      'indexes:',
      '  customers: [[payment/bankAccount]]',
      'textIndexes:',
      '  attribute-values: [description]',
      '    indexes: [[description, stage]] # of the document work-orders',
    ]) {
      expect(snippet.split('\n')).toContain(line)
    }
  })

  it('reports nothing more once the setup has the suggested index', async () => {
    const own = await started()
    await asked(own, [
      objects('customers', { filter: "payment/bankAccount eq 'x'" }),
      objects('attribute-values', { filter: "contains(description,'xyz')" }),
      objects('customers', { groupBy: 'countryCode', aggregate: 'sum(invoice/creditLimit)' }),
    ])
    const before = await run(['advise', ...storeOf(own)])
    const snippet = before.stdout.slice(before.stdout.indexOf('For the setup:') + 'For the setup:'.length)
    await own.application.stop(0)
    const folder = temporaryFolder()
    try {
      const file = join(folder.path, 'setup.yaml')
      writeFileSync(file, readFileSync(FIXTURE, 'utf8') + snippet)
      expect(await run(['setup', file, ...storeOf(own)])).toMatchObject({ code: 0, stderr: '' })
      const after = await run(['advise', ...storeOf(own)])
      expect(after.stdout).not.toContain('For the setup:')
      expect(after.stdout.match(/no further index would serve it/g)).toHaveLength(3)
    } finally {
      folder.remove()
    }
  })

  it('reports that nothing was slow, and writes nothing', async () => {
    const own = await started()
    const before = await own.dump()
    expect(await run(['advise', ...storeOf(own)])).toMatchObject({ code: 0, stdout: 'no question was slow\n' })
    expect(await own.changesSince(before)).toEqual([])
  })
})

it('refuses a folder without a database in one line', async () => {
  const folder = temporaryFolder()
  try {
    const { code, stderr } = await run(['advise', '--data', folder.path])
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 })
  } finally {
    folder.remove()
  }
})
