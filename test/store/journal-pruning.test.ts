// `journal.keep`: old entries of the change log lose their texts by themselves and keep keys and hashes; the chain is
// whole with them, and each change of what is left of them is found.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { watchLifeCycle } from '../../src/app/watch-life-cycle.ts'
import { pruneJournal, purgeJournal } from '../../src/lifecycle/purge-journal.ts'
import { eraseEntries } from '../../src/store/audit/erase-entries.ts'
import { ERASED_KEY } from '../../src/store/audit/erased-entry.ts'
import { PRUNING } from '../../src/store/audit/prune-entries.ts'
import { writeEntry } from '../../src/store/journal/journal.ts'
import { emptyLocation } from '../support/data-location.ts'
import { createValue, entriesOf, errorOfSize, undone, verified } from '../support/journal-chain.ts'
import { run, temporaryFolder } from '../support/process.ts'
import { soon } from '../support/soon.ts'
import { onEachStore, startWorld, type World } from '../support/world.ts'

const ACTOR = { userId: 'test', clientId: '', requestId: '' }
const THEN = new Date('2020-01-01T12:00:00.000Z')
const LATER = new Date('2022-06-01T12:00:00.000Z')
let now = THEN

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** The setup of the tests with `journal.keep` for one of its companies. */
function setupThatKeeps(age: string): string {
  const file = join(folder.path, 'keep.yaml')
  const name = 'name: Example Nordic AS\n'
  const text = readFileSync('test/fixtures/company.yaml', 'utf8')
  writeFileSync(file, text.replace(name, `${name}    journal: { keep: ${age} }\n`))
  return file
}

const textsFrom = async (world: World) => {
  const [row] = await world.query(`select texts_from from journal_counter where company_id = 'EN'`)
  return Number(row?.texts_from)
}

onEachStore(
  'journal.keep',
  (world, kind) => {
    const task = () => {
      const { store, companies } = world().application.service
      return { store, company: companies.require('EN'), actor: ACTOR }
    }
    const erase = (numbers: readonly number[]) =>
      task().store.write('EN', ACTOR, async (tx) => {
        const { count, ...text } = await eraseEntries(tx, numbers)
        writeEntry(tx, { ...PRUNING, after: JSON.stringify({ ...text, reason: 'test' }) })
        return count
      })

    it('keeps the texts of entries that are younger, and of companies with legal holds', async () => {
      for (let at = 0; at < 5; at++) await createValue(world(), `V${at}`, `a description of number ${at}`)
      const before = await entriesOf(world())
      expect(await pruneJournal({ ...task(), now: new Date('2021-12-31T12:00:00.000Z') })).toBe(0)
      const { company } = task()
      const held = { id: company.id, journalKept: company.journalKept, holds: [{ id: 'CASE', reason: 'law suit' }] }
      expect(await pruneJournal({ ...task(), company: held, now: LATER })).toBe(0)
      expect(
        await pruneJournal({ ...task(), company: { ...held, holds: [], journalKept: undefined }, now: LATER }),
      ).toBe(0)
      expect(await entriesOf(world())).toEqual(before)
      expect(await textsFrom(world())).toBe(0)
    })

    it('takes the texts of older entries away by itself; keys and hashes stay, and the chain is whole', async () => {
      const before = await entriesOf(world())
      const withTexts = before.filter((entry) => `${entry.before}${entry.after}` !== '').length
      now = LATER
      await createValue(world(), 'YOUNG', 'a young value')
      const error = await errorOfSize(world())
      const { store, companies } = world().application.service
      const metrics = { gauge: () => {} } as never
      const stop = watchLifeCycle({ store, companies, metrics, deletes: true, clock: () => now })
      await soon(async () => expect(await textsFrom(world())).toBe(Number(before.at(-1)?.entry_no)))
      stop()
      const after = await entriesOf(world())
      expect(after.slice(0, before.length)).toEqual(before.map((entry) => ({ ...entry, before: '', after: '' })))
      expect(after.slice(before.length).map(({ entity, operation }) => [entity, operation])).toEqual([
        ['attribute-value', 'create'],
        ['journal', 'erase'],
      ])
      expect(await verified(world())).toEqual({ faults: [], erased: 0, pruned: withTexts })
      expect(await errorOfSize(world())).toBe(error)
      expect(await pruneJournal({ ...task(), now: LATER })).toBe(0)
      await createValue(world(), 'NEXT', 'written afterwards')
      expect(await verified(world())).toEqual({ faults: [], erased: 0, pruned: withTexts })
    })

    it.each([
      ['its time', `at = at + 1`],
      ['its author', `origin_no = (select max(origin_no) from journal_origin where company_id = 'EN')`],
      ['its key', `record_key = '["C1","V9",0]'`],
      ['its request', `request_id = 'forged'`],
      ['all of its key', `record_key = '${ERASED_KEY}', request_id = ''`],
    ])('a change of what is left of an entry without texts is found: %s', async (_what, change) => {
      const whole = await verified(world())
      await undone(world(), `entry_no = ${await thirdEntry(world())}`, change, async () => {
        expect((await verified(world())).faults).toHaveLength(1)
      })
      expect(await verified(world())).toEqual(whole)
    })

    it('erased entries of those lose their keys too, and the others are still proved', async () => {
      const { pruned } = await verified(world())
      const third = await thirdEntry(world())
      for (const no of [third, third + 2]) {
        expect(await erase([no])).toBe(1)
        expect((await verified(world())).faults).toEqual([])
      }
      expect(await verified(world())).toEqual({ faults: [], erased: 2, pruned: pruned - 2 })
      for (const no of [third - 1, third + 1, third + 3]) {
        await undone(world(), `entry_no = ${no}`, `record_key = '["forged"]'`, async () => {
          expect((await verified(world())).faults).toHaveLength(1)
        })
      }
    })

    it('is whole in a restored backup, there too after a purge', async () => {
      const from = world()
      const data = ['--data', from.folder, ...(kind === 'postgres' ? ['--database', from.databaseUrl()] : [])]
      const backup = join(folder.path, `backup-${kind}`)
      expect(await run(['backup', backup, ...data])).toMatchObject({ code: 0 })
      const restored = await emptyLocation(kind, join(folder.path, `restored-${kind}`))
      expect(await run(['restore', backup, ...restored.flags])).toMatchObject({ code: 0 })
      const audited = await run(['audit', 'verify', ...restored.flags])
      expect(audited).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/; 2 entries erased and \d+ entries without texts, as later ones say\n$/),
      })
      expect(await run(['purge', '--journal-before', '2023-01-01', ...restored.flags])).toMatchObject({ code: 0 })
      const purged = await run(['audit', 'verify', ...restored.flags])
      expect(purged).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/; \d+ entries erased, as later ones say\n$/),
      })
    })

    it('a purge takes the keys as well', async () => {
      const before = '2022-01-01T00:00:00.000Z'
      const left = await purgeJournal({ ...task(), before, isDryRun: true })
      expect(left).toBeGreaterThan(0)
      expect(await purgeJournal({ ...task(), before, isDryRun: false })).toBe(left)
      expect(await purgeJournal({ ...task(), before, isDryRun: true })).toBe(0)
      const { faults, pruned } = await verified(world())
      expect({ faults, pruned }).toEqual({ faults: [], pruned: 0 })
    })

    it('a change that was made before an erasure is found after it', async () => {
      expect(await pruneJournal({ ...task(), now: new Date('2026-01-01T00:00:00.000Z') })).toBeGreaterThan(1)
      const [changed, erased] = await world().query(
        `select entry_no from audit_entry where company_id = 'EN' and operation = 'create' and record_key <> '${ERASED_KEY}'
          order by entry_no limit 2`,
      )
      await world().query(
        `update journal_entry set record_key = '["forged"]' where company_id = 'EN' and entry_no = ${changed?.entry_no}`,
      )
      expect(await erase([Number(erased?.entry_no)])).toBe(1)
      expect((await verified(world())).faults).toHaveLength(1)
    })
  },
  (kind) => {
    now = THEN
    return startWorld(kind, setupThatKeeps('24m'), '', { clock: () => now })
  },
)

async function thirdEntry(world: World): Promise<number> {
  const [third] = await world.query(
    `select entry_no from journal_entry where company_id = 'EN' order by entry_no limit 1 offset 2`,
  )
  return Number(third?.entry_no)
}
