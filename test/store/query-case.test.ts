// tolower and toupper map letter by letter, whatever the database's collation does.

import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts'
import { firstColumn, prepareArrays } from '../../src/databases/sqlite/dialect/connection.ts'
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts'
import { addFunctions } from '../../src/databases/sqlite/dialect/functions.ts'
import { casePairs } from '../../src/sql/rows/case-pairs.ts'
import { SqlParameters } from '../../src/sql/rows/emitter.ts'
import { lettersOfPart } from '../../src/sql/rows/folded-part.ts'
import { queryOn } from '../support/test-database.ts'

/** Every character of the planes in which letters have two cases, and one beyond. */
const LETTERS = [
  ...Array.from({ length: 0x1ffff }, (_, index) => String.fromCodePoint(index + 1)).filter((one) => one.isWellFormed()),
  '\u{20000}',
]

/** The expected mapping: JavaScript's, where it maps one character to another. */
const FOLDS = {
  lower: (text: string) => Array.from(text, (one) => single(one, one.toLowerCase())).join(''),
  upper: (text: string) => Array.from(text, (one) => single(one, one.toUpperCase())).join(''),
}
const single = (one: string, folded: string) => ([...folded].length === 1 ? folded : one)

const ASCII = LETTERS.slice(0, 127).join('')
const TEXTS = [
  LETTERS.join(''),
  '\u{10400}\u00c6\u00e6',
  '\u4e00\u00e6',
  ASCII,
  '',
  'I\u0130i\u0131',
  '\u00df\u1e9e',
  'A\u0301',
]

it.each(['lower', 'upper'] as const)('folds every letter to its %s case on SQLite', (to) => {
  const sqlite = new DatabaseSync(':memory:')
  addFunctions(sqlite)
  const folded = prepareArrays(sqlite, `select ${sqliteDialect.fold('?1', to, () => '?')}`)
  for (const text of TEXTS) expect(firstColumn(folded, [text])).toBe(FOLDS[to](text))
})

it.each(['lower', 'upper'] as const)('folds every letter to its %s case on PostgreSQL', async (to) => {
  const admin = inject('postgresAdmin')
  if (admin === '') return
  const name = `query_case_${to}_${process.pid}_${Date.now()}`
  // A database whose own folding differs: in Turkish an i has a dot in either case.
  const turkish = "template template0 locale_provider icu icu_locale 'tr-TR' locale 'C'"
  await queryOn(`${admin}/postgres`, `create database ${name} ${turkish}`)
  const client = new pg.Client({ connectionString: `${admin}/${name}` })
  await client.connect()
  try {
    for (const text of TEXTS) {
      const values = [text]
      const bind = (value: string, type: string) => `$${values.push(value)}::${type === 'json' ? 'jsonb' : 'text'}`
      const { rows } = await client.query(`select ${postgresDialect.fold('$1::text', to, bind)} as folded`, values)
      expect(rows[0].folded).toBe(FOLDS[to](text))
    }
  } finally {
    await client.end()
  }
})

it.each([
  ['invoice', ''],
  ['k', '\u212a'],
  ['bj\u00f8rn', '\u00d8'],
  ['\u00e5', '\u00c5\u212b'],
  ['\u00d8', undefined],
  ['A', undefined],
  ['\u00e6\u00f8\u00e5\u00e9\u00fc\u00f6', undefined],
])('folds of a text in which %j is looked for the letters %j', (part, letters) => {
  expect(lettersOfPart(part)).toBe(letters)
})

it.each(['lower', 'upper'] as const)('knows all letters that have another %s case', (to) => {
  for (let code = 1; code <= 0x10ffff; code++) {
    const letter = String.fromCodePoint(code)
    if (!letter.isWellFormed()) continue
    const other = FOLDS[to](letter)
    if (other !== (casePairs(to).get(letter) ?? letter)) expect.fail(`${letter} ${code.toString(16)} becomes ${other}`)
  }
})

it('takes the letters as two parameters, however often a statement folds', () => {
  const sql = new SqlParameters(postgresDialect, 'EN')
  const bind = (text: string, type: 'string' | 'json') => sql.bindOnce(text, type)
  const texts = Array.from({ length: 60 }, () => postgresDialect.fold('t', 'lower', bind))
  expect([new Set(texts).size, sql.parameters.length]).toEqual([1, 2])
})
