// tolower and toupper map letter by letter, whatever the database's collation does.

import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { casePairs } from '../../src/store/compile/case-pairs.ts'
import { postgresDialect } from '../../src/store/dialects/postgres/dialect.ts'
import { firstColumn, prepareArrays } from '../../src/store/dialects/sqlite/connection.ts'
import { sqliteDialect } from '../../src/store/dialects/sqlite/dialect.ts'
import { addFunctions } from '../../src/store/dialects/sqlite/queries/functions.ts'
import { queryOn } from '../support/test-database.ts'

/** Every character that a store keeps and JavaScript holds in one unit, and some that need two. */
const LETTERS = [
  ...Array.from({ length: 0xffff }, (_, index) => String.fromCharCode(index + 1)).filter((one) => one.isWellFormed()),
  ...['\u{10400}', '\u{10428}', '\u{1f600}'],
]

/** The expected mapping: JavaScript's, where it maps one character of one UTF-16 unit to another. */
const FOLDS = {
  lower: (text: string) => Array.from(text, (one) => single(one, one.toLowerCase())).join(''),
  upper: (text: string) => Array.from(text, (one) => single(one, one.toUpperCase())).join(''),
}
const single = (one: string, folded: string) => (one.length === 1 && folded.length === 1 ? folded : one)

const ASCII = LETTERS.slice(0, 127).join('')
const TEXTS = [LETTERS.join(''), ASCII, '', 'I\u0130i\u0131', '\u00df\u1e9e', 'A\u0301']

it.each(['lower', 'upper'] as const)('folds every letter to its %s case on SQLite', (to) => {
  const sqlite = new DatabaseSync(':memory:')
  addFunctions(sqlite)
  const folded = prepareArrays(sqlite, `select ${sqliteDialect.fold('?', to, () => '?')}`)
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
      const bind = (value: string) => `$${values.push(value)}::text`
      const { rows } = await client.query(`select ${postgresDialect.fold('$1::text', to, bind)} as folded`, values)
      expect(rows[0].folded).toBe(FOLDS[to](text))
    }
  } finally {
    await client.end()
  }
})

it.each(['lower', 'upper'] as const)('finds everyday letters early in the list: %s', (to) => {
  // PostgreSQL searches the list from the start for each letter of a text; a missing letter costs a complete scan.
  const { from } = casePairs(to)
  for (const letter of ' etaoinETAOIN0123456789') expect(from.indexOf(letter)).toBeLessThan(80)
  for (const letter of '\u00e6\u00f8\u00e5\u00c6\u00d8\u00c5\u00fc\u00e9') {
    expect(from.indexOf(letter)).toBeGreaterThan(0)
    expect(from.indexOf(letter)).toBeLessThan(400)
  }
})
