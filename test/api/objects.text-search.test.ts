// `contains` on properties with a text index: the same answers as without an index, on any text, and
// from the index where the text has three characters or more. Decision 6, functions; decision 8, setup.
import { describe, expect, it } from 'vitest'
import { insertRows, objects } from '../support/object-records.ts'
import { onEachStore, startWorld, type World } from '../support/world.ts'

const FIXTURE = 'test/fixtures/texts.yaml'

/** The indexes are built once the service listens. */
async function start(kind: Parameters<typeof startWorld>[0]) {
  const world = await startWorld(kind, FIXTURE)
  world.application.indexes.start()
  await world.application.indexes.settle()
  return world
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** A generator of the test's own: the same texts in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}

const LETTERS = [...'aabbcAé\u0301ßİſ😀𝔘漢"\'%_\\*^(){}[]:-+. \u0001\u0007\u001f\t\n\u007f\u00a0\ufeff\ufffd§AND']

function randomText(random: (below: number) => number): string {
  return Array.from({ length: random(14) }, () => LETTERS[random(LETTERS.length)]).join('')
}

/** A part of a text, or a near miss. */
function randomPart(texts: readonly string[], random: (below: number) => number): string {
  const characters = [...(texts[random(texts.length)] ?? '')]
  const begin = random(characters.length + 1)
  const part = characters.slice(begin, begin + 1 + random(7))
  if (random(4) === 0) part[random(part.length + 1)] = LETTERS[random(LETTERS.length)] ?? ''
  return part.join('')
}

const value = (companyId: string, attributeValue: string, description: string) => ({
  company_id: companyId,
  attribute_id: 'C1',
  attribute_value: attributeValue,
  period_from: 0,
  description,
})

async function found(world: World, filter: string, as = 'integration', document = 'attribute-values') {
  const select = document === 'notes' ? 'noteId,lineNo' : 'attributeValue'
  const answer = await world.send({ as, url: objects(document, { select, filter }) })
  expect([filter, answer.status]).toEqual([filter, 200])
  return (answer.json as Record<string, unknown>[]).map((row) => Object.values(row).join('/'))
}

/** Deletes the index entry: the row is then found only by shorter texts, which scan every row. */
async function forget(world: World, attributeValue: string) {
  const names = await world.application.service.store.setupIndexes()
  const index = [...names].find((one) => one.includes('attribute_value'))
  await world.query(`delete from "${index}" where attribute_value = '${attributeValue}'`)
}

onEachStore(
  'contains on a property that is searched by text',
  (world, kind) => {
    it('answers like a scan of every text, whatever the text (decision 6, functions)', async () => {
      const random = randomFrom(20_261_122)
      const texts = Array.from({ length: 300 }, () => randomText(random))
      const names = texts.map((_text, at) => `R${String(at).padStart(3, '0')}`)
      await insertRows(
        world(),
        'attribute_value',
        texts.map((text, at) => value('EN', names[at] ?? '', text)),
      )
      for (let tried = 0; tried < 150; tried++) {
        const part = randomPart(texts, random)
        const expected = names.filter((_name, at) => texts[at]?.includes(part))
        expect([part, await found(world(), `contains(description,${literal(part)})`)]).toEqual([part, expected])
      }
    })

    it('is answered from the index with three characters or more', async () => {
      await insertRows(world(), 'attribute_value', [value('EN', 'INDEXED', 'Quartz and feldspar')])
      expect(await found(world(), "contains(description,'feld')")).toEqual(['INDEXED'])
      await forget(world(), 'INDEXED')
      expect(await found(world(), "contains(description,'quartz') or contains(description,'Quartz and')")).toEqual([
        'INDEXED',
      ])
      expect(await found(world(), "contains(description,'Quartz and')")).toEqual([])
      expect(await found(world(), "contains(description,'Qu')")).toEqual(['INDEXED'])
    })

    it('is answered from the index on the collection of an attribute and in its count too', async () => {
      await insertRows(world(), 'attribute_value', [value('EN', 'OF-ATTRIBUTE', 'Tuff and pumice')])
      const ask = (method: 'GET' | 'HEAD', part: string) => {
        const filter = encodeURIComponent(`contains(description,'${part}')`)
        return world().send({ as: 'integration', method, url: `/v1/attribute-values/C1?filter=${filter}` })
      }
      expect((await ask('GET', 'pumi')).json).toMatchObject([{ attributeValue: 'OF-ATTRIBUTE' }])
      await forget(world(), 'OF-ATTRIBUTE')
      expect((await ask('GET', 'pumice')).json).toEqual([])
      expect((await ask('HEAD', 'pumice')).headers['x-erp-total-count']).toBe('0')
      expect((await ask('GET', 'pu')).json).toMatchObject([{ attributeValue: 'OF-ATTRIBUTE' }])
    })

    it('follows what is created, changed and closed', async () => {
      const url = '/v1/attribute-values'
      const create = { attributeId: 'C1', attributeValue: 'W1', description: 'Obsidian blade' }
      expect((await world().send({ as: 'integration', method: 'POST', url, body: create })).status).toBe(201)
      const blade = "contains(description,'sidian')"
      expect(await found(world(), blade)).toEqual(['W1'])
      const patch = (text: string) =>
        world().send({
          as: 'integration',
          method: 'PATCH',
          url: `${url}/C1/W1/0`,
          body: [{ op: 'replace', path: '/description', value: text }],
        })
      expect((await patch('Basalt')).status).toBe(200)
      expect(await found(world(), blade)).toEqual([])
      expect(await found(world(), "contains(description,'salt')")).toEqual(['W1'])
      await patch('ab')
      expect(await found(world(), "contains(description,'salt')")).toEqual([])
      await patch('Obsidian again')
      expect(await found(world(), blade)).toEqual(['W1'])
      // Directly in the database, as the service would answer a repeated query from its cache.
      await world().query("delete from attribute_value where attribute_value = 'W1'")
      expect(await found(world(), "contains(description,'bsidian')")).toEqual([])
      expect((await world().send({ as: 'integration', method: 'POST', url, body: create })).status).toBe(201)
      expect(await found(world(), `${blade} and status eq 'N'`)).toEqual(['W1'])
    })

    it('keeps companies apart', async () => {
      await insertRows(world(), 'attribute_value', [
        value('EN', 'SHARED', 'Granite of EN'),
        value('SV', 'SHARED', 'Granite of SV'),
        value('SV', 'ALONE', 'Granite of SV'),
      ])
      expect(await found(world(), "contains(description,'Granite')")).toEqual(['SHARED'])
      expect(await found(world(), "contains(description,'Granite')", 'sv')).toEqual(['ALONE', 'SHARED'])
      expect(await found(world(), "contains(description,'of SV')")).toEqual([])
    })

    it('answers a text that thousands of records have, in every form, with order, pages and counts', async () => {
      const rows = Array.from({ length: 2_500 }, (_, at) => value('SV', `M${10_000 + at}`, `Marble slab ${at % 7}`))
      await insertRows(world(), 'attribute_value', rows)
      const filter = "contains(description,'arble slab')"
      const count = await world().send({ as: 'sv', method: 'HEAD', url: objects('attribute-values', { filter }) })
      expect(count.headers['x-erp-total-count']).toBe('2500')
      const page = { filter, select: 'attributeValue', orderBy: 'attributeValue desc', limit: 2, offset: 1 }
      const second = await world().send({ as: 'sv', url: objects('attribute-values', page) })
      expect(second.text).toBe('[{"attributeValue":"M12498"},{"attributeValue":"M12497"}]')
      const few = objects('attribute-values', { ...page, filter: "contains(description,'slab 3')" })
      for (const [accept, text] of [
        ['application/json', '[{"attributeValue":"M12488"},{"attributeValue":"M12481"}]'],
        ['application/x-ndjson', '{"attributeValue":"M12488"}\n{"attributeValue":"M12481"}\n'],
        ['text/csv', 'attributeValue\r\nM12488\r\nM12481\r\n'],
      ] as const) {
        const answer = await world().send({ as: 'sv', url: few, headers: { accept } })
        expect(answer.text).toBe(text)
      }
    })

    it('serves a document of the setup by any of its texts, the longest first', async () => {
      const note = (no: string, line: number, text: string, remark: string) => ({
        company_id: 'EN',
        note_id: no,
        line_no: line,
        about_text: text,
        about_remark: remark,
      })
      await insertRows(world(), 'own_notes', [
        note('N1', 1, 'Copper ore', 'from the north'),
        note('N1', 2, 'Copper wire', ''),
        note('N2', 1, 'Tin ore', 'from the north'),
      ])
      const filter = "contains(about/text,'ore') and contains(about/remark,'north')"
      expect(await found(world(), filter, 'integration', 'notes')).toEqual(['N1/1', 'N2/1'])
      expect(await found(world(), "contains(about/text,'opper')", 'integration', 'notes')).toEqual(['N1/1', 'N1/2'])
      expect(await found(world(), "about/remark eq 'from the north'", 'integration', 'notes')).toEqual(['N1/1', 'N2/1'])
    })

    it('does not slow down other writes: only declared tables have a trigger', async () => {
      const tables = await world().query(
        kind === 'sqlite'
          ? "select distinct tbl_name as name from sqlite_schema where type = 'trigger' order by 1"
          : 'select distinct tgrelid::regclass::text as name from pg_trigger where not tgisinternal order by 1',
      )
      expect(tables.map(({ name }) => name)).toEqual(['attribute_value', 'own_notes'])
    })
  },
  start,
)

describe('random parts', () => {
  it('are often found: the comparison means something', () => {
    const random = randomFrom(1)
    const texts = Array.from({ length: 300 }, () => randomText(random))
    const parts = Array.from({ length: 100 }, () => randomPart(texts, random)).filter((part) => [...part].length >= 3)
    expect(parts.length).toBeGreaterThan(30)
    expect(parts.filter((part) => texts.some((text) => text.includes(part))).length).toBeGreaterThan(20)
  })
})
