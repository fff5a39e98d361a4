// Erased entries of the change log: the chain is whole with them, and each change of what is left of them is found.
import { expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { purgeJournal } from '../../src/lifecycle/purge-journal.ts'
import { ERASED_KEY } from '../../src/store/audit/erased-entry.ts'
import { renewDictionaries } from '../../src/store/audit/renew-dictionaries.ts'
import { KnownDictionary, withoutValues } from '../../src/store/chain/dictionaries.ts'
import { packEntry } from '../../src/store/chain/packed-entry.ts'
import { createValue, entriesOf, errorOfSize, undone, verified } from '../support/journal-chain.ts'
import { onEachStore, startWorld, type World } from '../support/world.ts'

const ACTOR = { userId: 'test', clientId: '', requestId: '' }
const THEN = new Date('2020-01-01T00:00:00.000Z')
let now: () => Date = () => THEN

onEachStore(
  'Erased entries of the journal',
  (world) => {
    const purgeOld = (isDryRun = false) => {
      const { store, companies } = world().application.service
      const company = companies.require('EN')
      return purgeJournal({ store, company, actor: ACTOR, before: '2021-01-01T00:00:00.000Z', isDryRun })
    }

    it('a dictionary that holds values is replaced, and what was compressed with it reads as before', async () => {
      for (let at = 0; at < 5; at++) await createValue(world(), `V${at}`, `a description of number ${at}`)
      await giveValuesToDictionaries(world())
      const before = await entriesOf(world())
      const { store } = world().application.service
      const writing = createValue(world(), 'V5', 'written meanwhile')
      await renewDictionaries(store, 'EN', ACTOR, () => true)
      await writing
      await createValue(world(), 'V6', 'written afterwards')
      const dictionaries = await world().query(`select bytes from journal_dictionary where company_id = 'EN'`)
      const texts = dictionaries.map(({ bytes }) => Buffer.from(bytes as unknown as Uint8Array).toString())
      expect(texts.map(withoutValues)).toEqual(texts)
      expect((await entriesOf(world())).slice(0, before.length)).toEqual(before)
      expect(await verified(world())).toEqual({ faults: [], erased: 0, pruned: 0 })
    })

    it('old entries lose keys and texts, and the chain is whole', async () => {
      const all = (await entriesOf(world())).length
      now = systemClock
      await createValue(world(), 'YOUNG', 'a young value')
      const error = await errorOfSize(world())
      expect(await purgeOld(true)).toBe(all)
      expect(await purgeOld()).toBe(all)
      const entries = await entriesOf(world())
      expect(
        entries
          .slice(0, all)
          .every(({ record_key, before, after }) => record_key === ERASED_KEY && before === '' && after === ''),
      ).toBe(true)
      expect(entries.slice(all).map(({ entity, operation }) => [entity, operation])).toEqual([
        ['attribute-value', 'create'],
        ['journal', 'erase'],
      ])
      expect(JSON.stringify(await world().query('select * from journal_entry'))).not.toContain('V3')
      expect(await verified(world())).toEqual({ faults: [], erased: all, pruned: 0 })
      expect(await purgeOld()).toBe(0)
      expect(await errorOfSize(world())).toBe(error)
    })

    it.each([
      ['its time', `at = at + 1`],
      [
        'its hash',
        `hash = (select hash from journal_entry where company_id = 'EN' and entry_no = (select max(entry_no) from journal_entry where company_id = 'EN'))`,
      ],
      ['its author', `origin_no = (select max(origin_no) from journal_origin where company_id = 'EN')`],
      ['its key', `record_key = '["C1","V1",0]'`],
      ['its request', `request_id = 'forged'`],
    ])('a change of what is left of an entry is found: %s', async (_what, change) => {
      const { erased } = await verified(world())
      const [third] = await world().query(
        `select entry_no from journal_entry where company_id = 'EN' order by entry_no limit 1 offset 2`,
      )
      await undone(world(), `entry_no = ${third?.entry_no}`, change, async () => {
        expect((await verified(world())).faults).toHaveLength(1)
      })
      expect(await verified(world())).toEqual({ faults: [], erased, pruned: 0 })
    })

    it('an entry that was emptied without an entry that says so is found', async () => {
      await createValue(world(), 'LATER', 'a later value')
      const [last] = await world().query(`select max(entry_no) as no from journal_entry where company_id = 'EN'`)
      const empty = world().kind === 'postgres' ? `''::bytea` : `x''`
      const change = `record_key = '${ERASED_KEY}', request_id = '', before = ${empty}, after = ${empty}`
      await undone(world(), `entry_no = ${last?.no}`, change, async () => {
        expect((await verified(world())).faults).toEqual([['changed', Number(last?.no)]])
      })
      expect((await verified(world())).faults).toEqual([])
    })
  },
  (kind) => {
    now = () => THEN
    return startWorld(kind, undefined, '', { clock: () => now() })
  },
)

/** Makes the dictionaries those of a single record: a text of it. */
async function giveValuesToDictionaries(world: World): Promise<void> {
  // What the service has cached is no longer what is stored.
  await world.query(`update journal_counter set dictionary_age = dictionary_age + 1 where company_id = 'EN'`)
  const dictionaries = await world.query(
    `select dictionary_no, made_at, entity from journal_dictionary where company_id = 'EN'`,
  )
  const literal = (bytes: Uint8Array) => {
    const text = Buffer.from(bytes).toString('hex')
    return world.kind === 'postgres' ? `decode('${text}', 'hex')` : `x'${text}'`
  }
  for (const { dictionary_no: no, entity } of dictionaries) {
    const entries = await world.query(
      `select a.*, '' as link from audit_entry a where company_id = 'EN' and entity = '${entity}' order by entry_no`,
    )
    const bytes = Buffer.from(String(entries[0]?.after))
    expect(withoutValues(bytes.toString())).not.toBe(bytes.toString())
    const known = new KnownDictionary({ no: Number(no), madeAt: 1, bytes })
    for (const entry of entries) {
      const { before, after } = packEntry(entry as never, known)
      await world.query(`update journal_entry set before = ${literal(before)}, after = ${literal(after)}
        where company_id = 'EN' and entry_no = ${entry.entry_no} and dictionary_no = ${no}`)
    }
    await world.query(
      `update journal_dictionary set bytes = ${literal(bytes)}, entity = '${entity} ["V0"]'
        where company_id = 'EN' and dictionary_no = ${no}`,
    )
  }
}
