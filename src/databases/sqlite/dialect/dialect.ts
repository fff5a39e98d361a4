import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { DECIMAL_DIGITS } from '../../../base/numbers/decimal.ts'
import { keyOfText } from '../../../base/numbers/exact.ts'
import type { StoredAs } from '../../../model/document.ts'
import { type Dialect, type JsonCell, type JsonMember, quote, type Scaled, textLiteral } from '../../../sql/dialect.ts'
import { LONGEST_IN_REACH } from '../../../sql/rows/work.ts'
import { journalOf } from '../../../sql/schema.ts'
import type { Tables } from '../../../sql/tables.ts'
import { arithmetic, averageOf, exactOf, exactText, sumOf, unitsSql } from './exact-numbers.ts'
import { fullText } from './full-text.ts'
import { sqliteJournal } from './journal-text.ts'
import { rowsWith } from './text-index.ts'

const asInteger = (sql: string): string => `cast(${sql} as integer)`

/** The SQL of a column: what is longer is not written, and calculated, several times. */
const SHORT_TEXT = 250

/** A parameter that stands in several places of a statement has one number, so that it is bound once. */
class NumberingCompiler extends SqliteQueryCompiler {
  readonly #numbered: unknown[] = []

  protected override appendValue(parameter: unknown): void {
    if (this.numParameters === 0) this.#numbered.length = 0
    if (!this.#numbered.includes(parameter)) {
      this.#numbered.push(parameter)
      this.addParameter(parameter)
    }
    this.append(`?${this.#numbered.indexOf(parameter) + 1}`)
  }
}

const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new NumberingCompiler(),
  },
})

export const sqliteDialect: Dialect = {
  compiler,
  jsonObject: (members) => `json_object(${members.map(([name, sql]) => `'${name}', ${sql}`).join(', ')})`,
  // A subselect is sorted in less time than an aggregate.
  jsonList: (item, from, orderBy) =>
    orderBy === undefined
      ? `(select json_group_array(${item}) ${from})`
      : `(select json_group_array(json(item)) from (select ${item} as item ${from} order by ${orderBy}))`,
  jsonPart: (column) => `json(${column})`,
  jsonNumber,
  jsonDecimal,
  jsonExact,
  jsonFlag: (column) => `json(iif(${column}, 'true', 'false'))`,
  decimal: (parameter) => parameter,
  json: (parameter) => parameter,
  isOneOfTexts: (json) => sql`in (select value from json_each(${json}))`,
  textRows: (json, name) => sql`json_each(${json}) as ${sql.raw(name)}`,
  rowsForEachText: (json, table, condition) =>
    sql`json_each(${json}) as n cross join ${sql.table(table)} e on ${condition}`,
  joinTexts: (column) => `group_concat(${column}, ' ')`,
  noBytes: sql`x''`,
  journal: (company) => journalOf(sqliteJournal, company),
  fullText,
  needsScanEstimate: true,
  placeholder: (position, type) => (type === 'long' ? asInteger(`?${position}`) : `?${position}`),
  literal: (value, type) => {
    if (typeof value === 'number') return String(value)
    return type === 'long' ? `cast(${textLiteral(value)} as integer)` : textLiteral(value)
  },
  bindable: (value) => (typeof value === 'boolean' ? Number(value) : value),
  // A decimal is stored in units of its last digit, which SQLite compares and adds exactly.
  decimalValue: (units) => ({ value: String(units), type: 'long' }),
  exactValue: keyOfText,
  sum: sumOf,
  average: averageOf,
  arithmetic,
  days: (later, earlier) => asInteger(`julianday(substr(${later}, 1, 10)) - julianday(substr(${earlier}, 1, 10))`),
  comparedText: (sql) => `${sql} collate binary`,
  comparable: (sql, type, scale, other) => {
    if (type === 'exact') return sql
    if (other === 'exact') return exactOf(sql, scale)
    if (other !== 'number') return type === 'number' ? sql : inParts(sql, scale ?? 0)
    return scale === undefined ? sql : decimalAsDouble(sql, scale)
  },
  quote,
  // Without statistics SQLite would guess an index.
  pinned: (table, index) => ` indexed by ${quote(index ?? `sqlite_autoindex_${table}_1`)}`,
  // SQLite inspects a bare parameter when it compiles a limit, and recompiles the statement for each other value.
  window: (limit, offset) => ` limit ${limit === undefined ? -1 : asInteger(limit)} offset ${asInteger(offset)}`,
  selectsBeforeLimit: false,
  indexOf: (whole, part) => `instr(${whole}, ${part})`,
  lowerAscii: (text) => `lower(${text})`,
  fold: (text, to) => {
    const called = `fold_${to}(${text})`
    // Its own function is three times as fast, and folds ASCII alone.
    return text.length > SHORT_TEXT ? called : `iif(octet_length(${text}) = length(${text}), ${to}(${text}), ${called})`
  },
  inReach: (sql) => `iif(octet_length(${sql}) > ${LONGEST_IN_REACH}, long_text(${sql}), ${sql})`,
  isNextItem: 'next_item()',
  condition: (sql) => `${sql} = 1`,
  read: (column, storedAs) => READERS[storedAs](column),
  equal: (column, storedAs) => READERS[storedAs](column),
  // A number that was converted for the comparison has another type.
  isText: (column, text) => `(${column} = ${text} collate binary and typeof(${column}) = 'text')`,
  asText: (sql) => `cast(${sql} as text)`,
  jsonOf: (parameter) => parameter,
  rowsIn: (table, column, position, columns) => {
    const values = columns.map(({ name, type }, at) => {
      const value = `r.value ->> ${at}`
      return `${type === 'decimal' ? asInteger(value) : value} as ${quote(name)}`
    })
    return `select ${values.join(', ')} from ${table}, json_each(${table}.${column}, '$[${position}]') r`
  },
  items: (column, alias) => `json_each(${column}) ${alias}`,
  itemOrder: (alias) => `${alias}.key`,
  itemPosition: (alias) => `${alias}.key + 1`,
  member: (json, path, type, scale) => {
    const place = textLiteral(`$${path.map((name) => `."${name}"`).join('')}`)
    // A double would lose digits.
    if (type === 'decimal') return `decimal_units(${json} -> ${place}, ${scale})`
    return `json_extract(${json}, ${place})`
  },
  rowsWithText: rowsWith,
  list: (members, from) => {
    const columns: string[] = []
    const object = rowObject(members, columns)
    return `(select json_group_array(${object}) from (select ${columns.join(', ')} ${from}))`
  },
  jsonArray: (members, from) => {
    const columns: string[] = []
    const object = rowObject(members, columns)
    return `select json_group_array(${object}) as body, count(*) as total from (select ${columns.join(', ')} ${from})`
  },
  jsonRows: (members, from) => `select ${rowObject(members)} as body ${from}`,
  cells: (cells, from) => {
    const columns = cells.map(({ sql, type, scale }, at) => {
      if (type === 'decimal') return `${decimalCell(sql, scale ?? 0)} as c${at}`
      if (type === 'exact') return `${exactText(sql)} as c${at}`
      // Integers are selected as text, because some exceed a JavaScript number.
      const text =
        type === 'boolean' ? `iif(${sql}, 'true', 'false')` : type === 'integer' ? `cast(${sql} as text)` : sql
      return `${text} as c${at}`
    })
    return `select ${columns.join(', ')} ${from}`
  },
  tuples: (cells, from) =>
    `select json_array(${cells.map((cell) => jsonValue(cell.sql, cell)).join(', ')}) as body ${from}`,
}

/** SQLite stores dates as text and numbers as given; an external table may hold either. */
const READERS: Readonly<Record<StoredAs, (column: string) => string>> = {
  // In an external table anything but 0 is true.
  flag: (column) => `(${column} <> 0)`,
  'integer-text': (column) => {
    const isInteger = `length(${column}) between 1 and 20 and ${column} not glob '*[^0-9-]*' and ${column} glob '*[0-9]' and ${column} not glob '?*-*'`
    const digits = `ltrim(ltrim(${column}, '-'), '0')`
    const largest = `iif(${column} glob '-*', '9223372036854775808', '9223372036854775807')`
    const fits = `(length(${digits}) < 19 or (length(${digits}) = 19 and ${digits} <= ${largest}))`
    return `iif(${isInteger} and ${fits}, cast(${column} as integer), 0)`
  },
  text: (column) => `cast(${column} as text)`,
  'padded-text': (column) => `rtrim(${column})`,
  integer: (column) => `iif(typeof(${column}) = 'integer', ${column}, null)`,
  double: finite,
  decimal: finite,
  date: (column) => `strftime('%Y-%m-%dT00:00:00.000Z', ${inCalendar(column)})`,
  timestamp: readInstant,
  timestamptz: readInstant,
}

/** A number; null for a text, also one that begins with digits, and for infinity. `+ 0.0` makes 0 of -0. */
function finite(column: string): string {
  const isNumber = `typeof(${column}) in ('integer', 'real') and ${column} between -${Number.MAX_VALUE} and ${Number.MAX_VALUE}`
  return `iif(${isNumber}, cast(${column} as real) + 0.0, null)`
}

/** A number is a Julian day to SQLite: that of 0001-01-01. */
const FIRST_DAY = 1_721_425.5

/**
 * Null for a text that does not begin with a day of the calendar: SQLite reads `now`, and the 30th of February. Null
 * for a number that is a day before our era, which ISO 8601 does not write.
 */
function inCalendar(column: string, value = column): string {
  const day = `substr(${column}, 1, 10)`
  const isDay = `iif(typeof(${column}) = 'text', date(${day}) = ${day}, ${column} >= ${FIRST_DAY})`
  return `iif(${isDay}, ${value}, null)`
}

/** Fractions of a second are truncated to milliseconds, because SQLite would round them. */
function readInstant(column: string): string {
  const isFiner = `${column} glob '????-??-??[ T]??:??:??.[0-9][0-9][0-9][0-9]*'`
  const cut = `substr(${column}, 1, 23) || ltrim(substr(${column}, 24), '0123456789')`
  return `strftime('%Y-%m-%dT%H:%M:%fZ', ${inCalendar(column, `iif(${isFiner}, ${cut}, ${column})`)})`
}

/** Builds the object of one row. With `columns`, the expressions that it needs are added to them under aliases. */
function rowObject(members: readonly JsonMember[], columns?: string[]): string {
  const parts = members.map((member) => {
    const name = textLiteral(member.name)
    if ('members' in member) return `${name}, ${rowObject(member.members, columns)}`
    if (!columns) return `${name}, ${jsonValue(member.sql, member)}`
    const alias = `c${columns.length}`
    const { sql: text, units } = member
    columns.push(`${units ? unitsSql(units) : text} as ${alias}`)
    return `${name}, ${jsonValue(alias, { ...member, units: units && { sql: alias, scale: units.scale } })}`
  })
  return `json_object(${parts.join(', ')})`
}

function jsonValue(sql: string, { type, scale = 0, units }: JsonCell): string {
  if (type === 'decimal') return jsonDecimal(sql, scale)
  if (type === 'exact') return jsonExact(sql, units)
  if (type === 'number') return jsonNumber(sql)
  if (type === 'json') return `json(${sql})`
  return type === 'boolean' ? sqliteDialect.jsonFlag(sql) : sql
}

/** SQLite formats a double with up to this number of digits exactly. */
const EXACT_DIGITS = 13
/** Doubles with more leading zeros are formatted with an exponent. */
const PLAIN_SCALE = 4

/** Most computed numbers have no more digits than a decimal column: functions of JavaScript are for the others. */
function jsonExact(sql: string, units?: Scaled): string {
  if (!units || units.scale > DECIMAL_DIGITS) return `json(${exactText(sql)})`
  const most = 10n ** BigInt(DECIMAL_DIGITS) - 1n
  const other = `json(${exactText(arithmetic.exact({ sql: 'n', scale: units.scale }))})`
  return `(select iif(n between -${most} and ${most}, ${jsonDecimal('n', units.scale)}, ${other}) from (select ${unitsSql(units)} as n))`
}

/** A decimal, which is stored in units of its last digit, as JSON in its shortest form. */
function jsonDecimal(sql: string, scale: number): string {
  return scale === 0 ? sql : shortest(sql, scale, `json(${decimalText(sql, scale)})`)
}

/** A decimal as a cell: a number when a double is exact, otherwise a text. */
function decimalCell(sql: string, scale: number): string {
  return scale === 0 ? `cast(${sql} as text)` : shortest(sql, scale, decimalText(sql, scale))
}

/** A decimal for comparison with a double. */
function decimalAsDouble(sql: string, scale: number): string {
  return scale === 0 ? `cast(${sql} as real)` : `cast(${decimalText(sql, scale)} as real)`
}

/** Most decimals are integers or exact doubles; only the others need the slower text. */
function shortest(sql: string, scale: number, text: string): string {
  const [unit, most, least] = [10 ** scale, 10 ** EXACT_DIGITS - 1, 10 ** Math.max(0, scale - PLAIN_SCALE)]
  const isShort = least === 1 ? `${sql} between -${most} and ${most}` : `abs(${sql}) between ${least} and ${most}`
  return `iif(${sql} % ${unit} = 0, ${sql} / ${unit}, iif(${isShort}, ${sql} / ${unit}.0, ${text}))`
}

function decimalText(sql: string, scale: number): string {
  const unit = 10 ** scale
  const digits = `printf('%s%d.%0${scale}d', iif(${sql} < 0, '-', ''), abs(${sql}) / ${unit}, abs(${sql}) % ${unit})`
  return `rtrim(${digits}, '0')`
}

/** A decimal as a row value of its integer part and its fraction, scaled to the maximum number of digits. */
function inParts(sql: string, scale: number): string {
  const unit = 10 ** scale
  return scale === 0 ? `(${sql}, 0)` : `(${sql} / ${unit}, ${sql} % ${unit} * ${10n ** BigInt(DECIMAL_DIGITS - scale)})`
}

/** A smaller double with up to PLAIN_SCALE decimals has at most EXACT_DIGITS digits. */
const PLAIN_DOUBLE = 1e9
const PLAIN_UNIT = `${10 ** PLAIN_SCALE}.0`

/**
 * A double as JSON, with the same digits as PostgreSQL and JavaScript: an integer without `.0`, others with 15 digits
 * if these are exact. SQLite itself adds spurious digits: 90071992547409.906 for 90071992547409.9; but none to one that
 * has up to four decimals, as most have, which costs half to find out.
 */
function jsonNumber(sql: string): string {
  const short = `printf('%.15g', ${sql})`
  const isPlain = `abs(${sql}) < ${PLAIN_DOUBLE} and cast(${sql} * ${PLAIN_UNIT} as integer) / ${PLAIN_UNIT} = ${sql}`
  const other = `iif(cast(${short} as real) = ${sql}, json(${short}), ${sql})`
  return `iif(${sql} = cast(${sql} as integer), cast(${sql} as integer), iif(${isPlain}, ${sql}, ${other}))`
}
