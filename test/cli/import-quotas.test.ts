// An import into a company whose change log reaches its quota on the way.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { run, temporaryFolder } from '../support/process.ts'
import { newDatabase } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const ROWS = 700
const folder = { path: '', remove: () => {} }

afterEach(() => folder.remove())

describe.each(STORE_KINDS)('import on %s', (kind) => {
  it('rejects the rows beyond the quota of the change log, and imports those before', async () => {
    Object.assign(folder, temporaryFolder())
    const store = ['--data', folder.path, ...(kind === 'postgres' ? ['--database', await newDatabase()] : [])]
    expect(await run(['setup', 'test/fixtures/quotas.yaml', ...store])).toMatchObject({ code: 0 })
    const file = join(folder.path, 'values.csv')
    const rows = Array.from({ length: ROWS }, (_, at) => `C6,W${at},Number ${at} of many`)
    writeFileSync(file, ['attributeId,attributeValue,description', ...rows, ''].join('\n'))
    const bring = (path: string) => run(['import', 'attribute-values', path, '--company', 'JO', ...store])
    expect((await bring(file)).stdout).toMatch(/^500 rows imported, 200 rejected/)
    const rejects = readFileSync(join(folder.path, 'values.csv.rejects.csv'), 'utf8').trim().split('\n')
    expect(rejects).toHaveLength(1 + 200)
    for (const reject of rejects.slice(1)) expect(reject).toMatch(/has reached its quota of 40000 bytes/)
  })
})
