import { expect, it } from 'vitest'
import { arrayText } from './array-text.ts'
import { rowInsertOf, WaitingRows } from './waiting-rows.ts'

const insertOf = (text: string) => rowInsertOf({ text, names: ['a', 'b'], onlyReads: false, changes: [] })

it('takes no statement for an insertion of a row whose result somebody needs, or whose row depends on others', () => {
  const head = 'insert into thing (a, b)'
  expect(insertOf(`${head} values ($1, $2) on conflict do nothing`)).toBeDefined()
  for (const text of [
    `${head} values ($1, $2) returning a`,
    `${head} values ($1, $2) on conflict (a) do update set b = excluded.b`,
    `${head} values ($1, (select max(b) + $2 from thing))`,
    `${head} select $1, $2`,
    'update thing set a = $1 where b = $2',
  ])
    expect(insertOf(text), text).toBeUndefined()
})

it('sends rows in few statements, before one that names their table', () => {
  const sent: [text: string, values: readonly unknown[]][] = []
  const rows = new WaitingRows((text, values) => sent.push([text, values]))
  const text =
    'insert into "thing" ("a", "company_id", "b", "c") values ($1, $2, $3 * 0.01, $4::json) on conflict do nothing'
  const insert = rowInsertOf({ text, names: ['a', 'company_id', 'b', 'c'], onlyReads: false, changes: [] })
  const add = (a: number) => insert && rows.add(insert, [a, 'C', 'b', new Uint8Array([a])])
  for (let no = 0; no < 105; no++) add(no)
  const bytes = (no: number) => `"\\\\x${no.toString(16).padStart(2, '0')}"`
  const numbers = Array.from({ length: 100 }, (_, no) => no)
  expect(sent).toEqual([
    [
      'insert into "thing" ("a", "company_id", "b", "c") select r.c1, $2::text, $3::text * 0.01, r.c4::json from unnest($1::bigint[], $4::bytea[]) r(c1, c4) on conflict do nothing',
      [`{${numbers.join()}}`, 'C', 'b', `{${numbers.map(bytes).join()}}`],
    ],
  ])
  rows.flush('select a from other')
  expect(sent.length).toBe(1)
  rows.flush('select a from thing')
  expect(sent.length).toBe(2)
  expect(sent[1]).toEqual([
    'insert into "thing" ("a", "company_id", "b", "c") select r.c1, $2::text, r.c3 * 0.01, r.c4::json from unnest($1::bigint[], $3::text[], $4::bytea[]) r(c1, c3, c4) on conflict do nothing',
    ['{100,101,102,103,104}', 'C', '{"b","b","b","b","b"}', `{${[100, 101, 102, 103, 104].map(bytes).join()}}`],
  ])
  for (const a of [1, 2.5, 3, 4]) add(a)
  rows.flush()
  expect(sent[2]?.[0]).toContain('$1::double precision[]')
  for (const a of [1, 2, 3]) add(a)
  rows.flush()
  expect(sent.slice(3)).toEqual([1, 2, 3].map((a) => [text, [a, 'C', 'b', new Uint8Array([a])]]))
  add(0)
  rows.drop()
  rows.flush()
  expect(sent.length).toBe(6)
})

it('escapes texts in arrays', () => {
  expect(arrayText(['', 'NULL', 'a"b\\c', '{x,y}', 'line\nend'])).toBe('{"","NULL","a\\"b\\\\c","{x,y}","line\nend"}')
})
