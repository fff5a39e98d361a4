// A database role from which row-level security hides everything: this is reported, instead of an empty answer.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApplication } from '../../src/app.ts'
import { run, temporaryFolder } from '../support/process.ts'
import { asSuperuser, newDatabase, queryOn } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const UNSEEN =
  /reads nothing of the company EN, which the setup has: row-level security hides their rows|reads nothing of the companies/

describe.runIf(STORE_KINDS.includes('postgres'))('A role that reads nothing', () => {
  const folder = temporaryFolder()
  let database = ''
  const start = (setup?: string) =>
    buildApplication({
      data: join(folder.path, 'data'),
      database,
      setup,
      basePath: '',
      observe: () => {},
      onFatal: () => {},
    })
  beforeAll(async () => {
    database = await newDatabase()
    const application = await start('test/fixtures/company.yaml')
    await application.stop(0)
    await queryOn(asSuperuser(database), 'drop policy own_company on journal_counter')
  })
  afterAll(() => folder.remove())

  it('is reported at start', async () => {
    await expect(start()).rejects.toThrow(UNSEEN)
  })

  it.each([['audit', 'verify'], ['audit', 'head'], ['backup', 'TARGET'], ['advise']])(
    'is reported by the command %s %s',
    async (...words) => {
      const args = words.map((word) => (word === 'TARGET' ? join(folder.path, 'backup') : word))
      const { code, stderr } = await run([...args, '--database', database, '--data', join(folder.path, 'data')])
      expect([code, stderr]).toEqual([1, expect.stringMatching(UNSEEN)])
    },
  )
})
