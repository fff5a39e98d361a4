import { expect, it } from 'vitest'
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
  const sent: [string, number][] = []
  const rows = new WaitingRows((text, values) => sent.push([text, values.length]))
  const insert = insertOf('insert into "thing" ("a", "b") values ($1, $2 * 0.01)')
  for (let no = 0; no < 64 + 22; no++) if (insert) rows.add(insert, [no, 'b'])
  expect(sent.map(([, values]) => values)).toEqual([128])
  rows.flush('select a from other')
  expect(sent.length).toBe(1)
  rows.flush('select a from thing')
  expect(sent.map(([, values]) => values)).toEqual([128, 32, 8, 2, 2])
  expect(sent[2]?.[0]).toBe(
    'insert into "thing" ("a", "b") values ($1, $2 * 0.01), ($3, $4 * 0.01), ($5, $6 * 0.01), ($7, $8 * 0.01)',
  )
  if (insert) rows.add(insert, [0, 'b'])
  rows.drop()
  rows.flush()
  expect(sent.length).toBe(5)
})
