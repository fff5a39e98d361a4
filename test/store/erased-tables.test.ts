// Every table of both databases has an answer to what an erasure does with it; test/cli/erase.test.ts proves the answers.
import { expect, it } from 'vitest'
import { BUILT_IN_RECORDS } from '../../src/model/records/built-in.ts'
import { isRecordTable, TABLE_NAMES } from '../../src/sql/tables.ts'
import { unanswered } from '../support/erased-tables.ts'
import { LIST_TABLES } from '../support/erased-texts.ts'
import { onEachStore } from '../support/world.ts'

onEachStore('Erasure', (world, kind) => {
  it('has an answer for every table', async () => {
    const rows = await world().query(LIST_TABLES[kind])
    expect(rows.length).toBeGreaterThan(30)
    expect(unanswered(rows.map(({ name }) => String(name)))).toEqual([])
    expect(unanswered(['a_new_table'])).toEqual(['a_new_table'])
  })
})

it('knows the tables of the built-in records', () => {
  const tables = BUILT_IN_RECORDS.map(({ record }) => record.document.table)
  expect(tables).toContain('customer')
  expect(tables.filter((name) => !isRecordTable(name) && !TABLE_NAMES.includes(name))).toEqual([])
})
