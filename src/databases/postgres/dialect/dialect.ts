import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { decimalText, lastDigit } from '../../../base/numbers/decimal.ts'
import type { StoredAs } from '../../../model/document.ts'
import {
  type Dialect,
  type GivenColumn,
  type JsonCell,
  type JsonMember,
  type ParameterType,
  quote,
  textLiteral,
} from '../../../sql/dialect.ts'
import { journalOf } from '../../../sql/schema.ts'
import type { Tables } from '../../../sql/tables.ts'
import { arithmetic, averageOf, exactOf, sumOf } from './exact-numbers.ts'
import { folded } from './fold.ts'
import { fullText } from './full-text.ts'
import { boundOfName, nameOf, startOf } from './index-terms.ts'
import { postgresJournal } from './journal-text.ts'
import { rowsWith } from './text-index.ts'

/** Text parameters are collated by code point, whatever the collation of the database. */
const CASTS: Readonly<Record<ParameterType, string>> = {
  string: '::text collate "C"',
  'date-time': '::text collate "C"',
  date: '::text collate "C"',
  integer: '::bigint',
  long: '::bigint',
  decimal: '::numeric',
  exact: '::numeric',
  number: '::float8',
  boolean: '::boolean',
  json: '::jsonb',
}

/** Longer answers are streamed, which costs more once. */
const START_ROWS = 100
const START_BYTES = 128 * 1024

const typed = (value: string, type: ParameterType, isForEquality: boolean): string =>
  isForEquality && type === 'string' ? `(${value}::text)` : `(${value}${CASTS[type]})`

const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export const postgresDialect: Dialect = {
  compiler,
  // row_to_json, because json_build_object puts blanks around its colons.
  jsonObject: (members) =>
    `(select row_to_json(o) from (select ${members.map(([name, sql]) => `${sql} as "${name}"`).join(', ')}) o)`,
  jsonList: (item, from, orderBy) =>
    `(select ('[' || coalesce(string_agg(${item}::text, ','${orderBy === undefined ? '' : ` order by ${orderBy}`}), '') || ']')::json
      ${from})`,
  jsonPart: (column) => column,
  jsonNumber: (column) => column,
  jsonDecimal: (column) => `trim_scale(${column})`,
  jsonExact: (sql) => `trim_scale(${sql})`,
  jsonFlag: (column) => `(${column} <> 0)`,
  decimal: (parameter, scale) => sql`(${parameter}::bigint * ${sql.lit(lastDigit(scale))}::numeric)`,
  json: (parameter) => sql`${parameter}::json`,
  // Looked up in an index by one scan, whatever the database believes of the number of texts.
  isOneOfTexts: (json) => sql`= any (array(select json_array_elements_text(${json}::json)))`,
  textRows: (json, name) => sql`json_array_elements_text(${json}::json) as ${sql.raw(name)}(value)`,
  rowsForEachText: (json, table, condition) =>
    sql`json_array_elements_text(${json}::json) as n(value)
      cross join lateral (select e.* from ${sql.table(table)} e where ${condition} offset 0) e`,
  joinTexts: (column) => `string_agg(${column}, ' ')`,
  noBytes: sql`''::bytea`,
  journal: (company) => journalOf(postgresJournal, company),
  fullText,
  needsScanEstimate: false,
  placeholder: (position, type, isForEquality) => typed(`$${position}`, type, isForEquality),
  literal: (value, type, isForEquality) => typed(textLiteral(String(value)), type, isForEquality),
  bindable: (value) => (typeof value === 'boolean' ? String(value) : value),
  decimalValue: (units, scale) => ({ value: decimalText(units, scale), type: 'decimal' }),
  exactValue: (text) => text,
  sum: sumOf,
  average: averageOf,
  arithmetic,
  days: (later, earlier) => `(substr(${later}, 1, 10)::date - substr(${earlier}, 1, 10)::date)`,
  comparedText: (sql) => sql,
  // Beside a numeric, PostgreSQL would convert a double by its first 15 digits.
  comparable: (sql, type, _scale, other) => (type === 'number' && other === 'exact' ? exactOf(sql) : sql),
  quote,
  indexedStart: { order: startOf, name: nameOf, bound: boundOfName },
  window: (limit, offset) => `${limit === undefined ? '' : ` limit ${limit}`} offset ${offset}`,
  selectsBeforeLimit: true,
  indexOf: (whole, part) => `strpos(${whole}, ${part})`,
  lowerAscii: (text) => `lower(${text} collate "C")`,
  fold: folded,
  inReach: (sql) => sql,
  condition: (sql) => sql,
  read: (column, storedAs) => READERS[storedAs](column),
  equal: (column, storedAs) => (storedAs === 'text' ? column : READERS[storedAs](column)),
  // The first comparison can use an index; the second one is bytewise where the column's collation is not.
  isText: (column, text) => `(${column} = ${text} and ${column} collate "C" = ${text})`,
  asText: (sql) => `(${sql})::text`,
  jsonOf: (parameter) => `${parameter}::jsonb`,
  rowsIn: (table, column, position, columns) => {
    const values = columns.map(({ name, type }, at) => `(r.value ->> ${at})${GIVEN[type]} as ${quote(name)}`)
    return `select ${values.join(', ')} from ${table}, jsonb_array_elements(${table}.${column} -> ${position}) r(value)`
  },
  items: (column, alias) => `json_array_elements(${column}) with ordinality ${alias}(value, position)`,
  itemOrder: (alias) => `${alias}.position`,
  itemPosition: (alias) => `${alias}.position`,
  member: (json, path, type) => {
    const member = `(${json} #>> ${textLiteral(`{${path.map((name) => `"${name}"`).join(',')}}`)})`
    return type === 'string' || type === 'date-time' ? `(${member} collate "C")` : member + CASTS[type]
  },
  rowsWithText: rowsWith,
  list: (members, from) => `(${arrayOf(members, from)})::json`,
  jsonArray: (members, from) => `select ${arrayOf(members, from)} as body`,
  // The sum is made row by row, so that what is too long is not held.
  jsonStart: (members, from) =>
    `select case when count(*) <= ${START_ROWS} and coalesce(max(bytes), 0) <= ${START_BYTES} then '[' || coalesce(string_agg(line, ',') filter (where bytes <= ${START_BYTES}), '') || ']' end as body from (select line, sum(octet_length(line)) over (rows unbounded preceding) as bytes from (select row_to_json(r.*)::text as line from (select ${columnsOf(members)} ${from}) r limit ${START_ROWS + 1}) l) l`,
  jsonRows: (members, from) => `select row_to_json(r.*)::text as body from (select ${columnsOf(members)} ${from}) r`,
  // A double is selected as a number and formatted by JavaScript: PostgreSQL's text of 1000000000000000 is 1e+15.
  cells: (cells, from) =>
    `select ${cells.map(({ sql, type }, at) => `${cellOf(sql, type)} as c${at}`).join(', ')} ${from}`,
  // An object, because a function of PostgreSQL takes a hundred arguments.
  tuples: (cells, from) => {
    const columns = cells.map(({ sql, type }, at) => `${jsonValueOf(sql, type)} as c${at}`)
    return `select row_to_json(r.*)::text as body from (select ${columns.join(', ')} ${from}) r`
  },
}

function cellOf(sql: string, type: JsonCell['type']): string {
  if (type === 'number') return `(${sql})`
  return type === 'decimal' || type === 'exact' ? `trim_scale(${sql})::text` : `(${sql})::text`
}

/** A value for row_to_json. */
function jsonValueOf(sql: string, type: JsonCell['type']): string {
  return type === 'decimal' || type === 'exact' ? `trim_scale(${sql})` : sql
}

const GIVEN: Readonly<Record<GivenColumn['type'], string>> = {
  string: ' collate "C"',
  integer: '::bigint',
  number: '::float8',
  decimal: '::numeric',
  json: '::json',
}

const UTC_TEXT = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

const READERS: Readonly<Record<StoredAs, (column: string) => string>> = {
  flag: (column) => `(${column} <> 0)`,
  'integer-text': (column) =>
    `(case when length(${column}) <= 20 and ${column} ~ '^-?[0-9]+$' then case when ${column}::numeric between -9223372036854775808 and 9223372036854775807 then ${column}::bigint else 0 end else 0 end)`,
  text: (column) => `(${column}::text collate "C")`,
  // Fixed-length character columns are padded with blanks, which are not part of the value.
  'padded-text': (column) => `(rtrim(${column}::text) collate "C")`,
  integer: (column) => column,
  double: finite,
  decimal: finite,
  date: (column) => inCalendar(column, `to_char(${column}, 'YYYY-MM-DD"T00:00:00.000Z"')`),
  timestamp: (column) => inCalendar(column, `to_char(${column}, ${UTC_TEXT})`),
  timestamptz: (column) =>
    inCalendar(`(${column} at time zone 'UTC')`, `to_char(${column} at time zone 'UTC', ${UTC_TEXT})`),
}

/**
 * A number; null for what JSON has none for. It is converted through its text, so that a four-byte 0.1 is answered as
 * 0.1 and found by it, and `+ 0` makes 0 of -0.
 */
function finite(column: string): string {
  const text = `(${column})::text`
  return `(case when ${text} not in ('NaN', 'Infinity', '-Infinity') then ${text}::float8 + 0 end)`
}

/** Null for dates that ISO 8601 cannot write with four digits of a year, such as `infinity` and years before Christ. */
function inCalendar(date: string, text: string): string {
  return `(case when ${date} >= '0001-01-01' and ${date} < '10000-01-01' then ${text} end collate "C")`
}

/** A subselect of all rows as the text of a JSON array. row_to_json, because json_agg puts blanks between items. */
function arrayOf(members: readonly JsonMember[], from: string): string {
  return `(select '[' || coalesce(string_agg(row_to_json(r.*)::text, ','), '') || ']' from (select ${columnsOf(members)} ${from}) r)`
}

/**
 * row_to_json uses the column names; a group is the row of a subselect. `.*`, because a column may be called r or g.
 */
function columnsOf(members: readonly JsonMember[]): string {
  return members
    .map((member) =>
      'members' in member
        ? `(select row_to_json(g.*) from (select ${columnsOf(member.members)}) g) as ${quote(member.name)}`
        : `${jsonValueOf(member.sql, member.type)} as ${quote(member.name)}`,
    )
    .join(', ')
}
