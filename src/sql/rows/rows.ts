// The row sources of a statement: the document's table, items of lists, records along associations. Each has an alias;
// joins are added to its FROM clause at first use.

import {
  ABSENT,
  type AssociationProperty,
  type Column,
  type DocumentDefinition,
  type Join,
  type JsonList,
  type ListProperty,
  type Member,
  type RecordLines,
  type Source,
  type StoredAs,
  type ValueProperty,
  type ValueType,
} from '../../model/document.ts'
import { rowRuleOf } from '../../query/row-rule.ts'
import { type Scaled, textLiteral } from '../dialect.ts'
import { COMPANY_COLUMN } from '../tables.ts'
import type { Choice } from './choose-index.ts'
import { computedSql } from './compile-computed.ts'
import { FilterCompiler } from './compile-filter.ts'
import type { SqlParameters } from './emitter.ts'
import type { StandIn } from './row-source.ts'
import { firstTable } from './unfold.ts'

/** A column as SQL. `bare` may be null if `isNullable`, `sql` never is. */
export interface ColumnSql {
  readonly sql: string
  readonly bare: string
  /** `bare` for comparisons for equality. */
  readonly equal: string
  /** The indexed prefix, when indexes only have a prefix of the text. */
  readonly start?: { readonly order: string; readonly name: string }
  readonly isNullable: boolean
  /** What an exact number is made of, where it is computed. */
  readonly units?: Scaled
}

/** A FROM clause: a first table and its joins. */
class From {
  readonly first: string
  readonly #joins: string[] = []

  constructor(first: string) {
    this.first = first
  }

  join(text: string): void {
    this.#joins.push(text)
  }

  get hasJoins(): boolean {
    return this.#joins.length > 0
  }

  /** `first` may replace the first table, with the same alias. */
  text(first = this.first): string {
    return first + this.#joins.join('')
  }
}

interface Shape {
  readonly joins: Readonly<Record<string, Join>>
  readonly companyColumn?: string
  /** Whether the row may be missing; then all its columns are null. */
  readonly isOptional: boolean
  /** Whether the table is external. */
  readonly isExternal?: boolean | undefined
  /** Columns of which some index only has a prefix. */
  readonly starts?: ReadonlySet<string>
  /** What is read in place of the first table. */
  readonly standIn?: StandIn | undefined
}

/** The items of a list in a FROM clause of their own. */
interface ItemRows {
  readonly rows: FromClause
  /** What relates them to the row of their record. */
  readonly condition: string
  readonly orderBy: string
  /** Their place in the order. */
  readonly position: string
}

export class FromClause {
  readonly alias: string
  readonly from: From
  /** The columns of the first table used so far, with that of the company: so there always is one. */
  readonly columns: Set<string>
  readonly #sql: SqlParameters
  readonly #shape: Shape
  readonly #joined = new Set<string>()
  readonly #associated = new Map<AssociationProperty, FromClause>()

  constructor(sql: SqlParameters, alias: string, from: From, shape: Shape, columns: readonly string[] = []) {
    this.#sql = sql
    this.alias = alias
    this.from = from
    this.#shape = shape
    this.columns = new Set(columns)
  }

  /** The rows of a document's table, found by the chosen index. */
  static of(definition: DocumentDefinition, sql: SqlParameters, alias = 't', choice?: Choice): FromClause {
    const standIn = sql.source?.standInFor(definition.table)
    if (standIn) return standInRows(definition, standIn, sql, alias)
    const from = new From(firstTable(definition, sql, alias, pinOf(definition, sql, choice)))
    const { joins, companyColumn, isExternal, indexes = [] } = definition
    const starts = new Set(indexes.flatMap((index) => index.starts ?? []))
    const shape = { joins, companyColumn, isOptional: false, isExternal, starts }
    return new FromClause(sql, alias, from, shape, [companyColumn])
  }

  /** The rows of a subselect, with the columns of a document. */
  static derived(subselect: string, sql: SqlParameters): FromClause {
    return new FromClause(sql, 't', new From(`(${subselect}) t`), { joins: {}, isOptional: false })
  }

  /** `scale`: of a decimal. */
  column(source: Source, type: ValueType, scale = 0): ColumnSql {
    if ('constant' in source) {
      const sql = typeof source.constant === 'number' ? String(source.constant) : textLiteral(source.constant)
      return { sql, bare: sql, equal: sql, isNullable: false }
    }
    if ('computed' in source) {
      const computed = computedSql(source.computed, this, this.#sql)
      if (!this.#shape.isOptional) return { ...computed, bare: computed.sql, equal: computed.sql, isNullable: false }
      const sql = `case when ${this.#isRow()} then ${computed.sql} else ${absentSql(type, this.#sql)} end`
      return { sql, bare: sql, equal: sql, isNullable: false }
    }
    const bare = 'path' in source ? this.#member(source, type, scale) : this.#read(source)
    const isNullable = 'path' in source || this.#shape.isOptional || source.table !== undefined || readsAsNull(source)
    const equal = 'path' in source ? bare : this.#read(source, 'equal')
    const sql = isNullable ? `coalesce(${bare}, ${absentLiteral(type)})` : bare
    const { indexedStart } = this.#sql.dialect
    const isCut = indexedStart && 'column' in source && !isNullable && this.#shape.starts?.has(source.column)
    const start = isCut && { order: indexedStart.order(bare), name: indexedStart.name(bare) }
    return { sql, bare, equal, isNullable, ...(start ? { start } : {}) }
  }

  /** The description of a property's code in the requested language; empty when there is none. */
  description(property: ValueProperty): string {
    const { codes, type, source } = property
    if (!codes) throw new Error('a property without codes has no description')
    const { sql } = this.column(source, type)
    const code = type === 'string' ? sql : this.#sql.dialect.asText(sql)
    return `coalesce(${this.#descriptionOf(code, codes)}, '')`
  }

  /** The record that an association refers to. */
  along(step: AssociationProperty): FromClause {
    const known = this.#associated.get(step)
    if (known) return known
    const { quote } = this.#sql.dialect
    const { joins, companyColumn, isExternal, table } = step.document
    const alias = this.#sql.nextAlias('r')
    const shape = { joins, companyColumn, isOptional: true, isExternal }
    const rows = new FromClause(this.#sql, alias, this.from, shape)
    const on = step.on.map(([own, other]) => `${alias}.${quote(other)} = ${this.own(own)}`)
    on.unshift(rows.ofCompany())
    on.push(...this.#restrictionOf(step, alias))
    this.from.join(` left join ${this.#sql.table(table)} ${alias} on ${on.join(' and ')}`)
    this.#associated.set(step, rows)
    return rows
  }

  /**
   * A record outside the row rule of its document counts as missing: this is a condition on a second reference to it,
   * which may need joins of its own.
   */
  #restrictionOf({ document, on }: AssociationProperty, alias: string): string[] {
    const rule = rowRuleOf(document)
    if (!rule) return []
    const sql = this.#sql.literal
    const { quote } = sql.dialect
    const rows = FromClause.of(document, sql, sql.nextAlias('v'))
    const isSame = on.map(([, other]) => `${rows.alias}.${quote(other)} = ${alias}.${quote(other)}`)
    const conditions = [rows.ofCompany(), ...isSame, new FilterCompiler(sql, rows).condition(rule)]
    return [`exists (select 1 from ${rows.from.text()} where ${conditions.join(' and ')})`]
  }

  items({ from }: ListProperty): ItemRows {
    const { dialect } = this.#sql
    const alias = this.#sql.nextAlias('i')
    if ('json' in from) {
      const first = new From(dialect.items(dialect.inReach(this.own(from.json)), alias))
      return {
        rows: new FromClause(this.#sql, alias, first, { joins: {}, isOptional: false }),
        condition: '1 = 1',
        orderBy: dialect.itemOrder(alias),
        position: dialect.itemPosition(alias),
      }
    }
    const on = from.on.map(([own, item]) => `${alias}.${dialect.quote(item)} = ${this.own(own)}`)
    if (dialect.isNextItem) on.push(dialect.isNextItem)
    if ('document' in from) return this.#lines(from, alias, on)
    const standIn = this.#shape.standIn && this.#sql.source?.standInFor(from.table)
    const first = new From(`${standIn ? dialect.quote(standIn.name) : this.#sql.table(from.table)} ${alias}`)
    const shape = { joins: from.joins, companyColumn: COMPANY_COLUMN, isOptional: false, standIn }
    const rows = new FromClause(this.#sql, alias, first, shape)
    if (!standIn) on.unshift(rows.ofCompany())
    else {
      const { stateColumn } = standIn
      for (const column of [...from.on.map(([, item]) => item), from.orderBy]) rows.own(column)
      if (stateColumn !== undefined) on.push(`${rows.own(stateColumn)} = ${this.own(stateColumn)}`)
    }
    const orderBy = `${alias}.${dialect.quote(from.orderBy)}`
    return { rows, condition: on.join(' and '), orderBy, position: orderBy }
  }

  /** Lines outside the row rule of their document are not there. */
  #lines({ document, on: pairs, orderBy }: RecordLines, alias: string, on: readonly string[]): ItemRows {
    const { quote, pinned } = this.#sql.dialect
    const { table, joins, companyColumn } = document
    const standIn = this.#sql.source?.standInFor(table)
    // An index that serves a condition on lines would go through those of all records, for each of them.
    const stored = `${this.#sql.table(table)} ${alias}${pinned?.(table, undefined) ?? ''}`
    const first = new From(standIn ? `${quote(standIn.name)} ${alias}` : stored)
    const rows = new FromClause(this.#sql, alias, first, { joins, companyColumn, isOptional: false, standIn })
    // What stands in for the table has the columns that are named of it.
    for (const column of [...pairs.map(([, item]) => item), ...orderBy]) rows.own(column)
    const rule = rowRuleOf(document)
    const seen = rule ? [new FilterCompiler(this.#sql.literal, rows).condition(rule)] : []
    const [position = '', ...rest] = orderBy.map((column) => `${alias}.${quote(column)}`)
    const condition = [rows.ofCompany(), ...on, ...seen].join(' and ')
    return { rows, condition, orderBy: [position, ...rest].join(', '), position }
  }

  /** The stored JSON of a list; empty for a missing row. */
  storedList({ json }: JsonList): string {
    const column = this.own(json)
    return this.#shape.isOptional ? `coalesce(${column}, '[]')` : column
  }

  #member({ json, path, isItem }: Member, type: ValueType, scale: number): string {
    const { dialect } = this.#sql
    const isOfList = json === undefined || isItem
    const item = json === undefined ? `${this.alias}.value` : this.own(json)
    const member = dialect.member(isOfList ? item : dialect.inReach(item), path, type, scale)
    // Items are stored as single records have them.
    return isOfList && type === 'date-time' ? `(${member} || 'Z')` : member
  }

  #read({ table, column, storedAs }: Column, how: 'read' | 'equal' = 'read'): string {
    const { dialect } = this.#sql
    if (table !== undefined) this.#use(table)
    const name = table === undefined ? this.own(column) : `${this.#aliasOf(table)}.${dialect.quote(column)}`
    return storedAs === undefined ? name : dialect[how](name, storedAs)
  }

  /** A column of the first table. */
  own(column: string): string {
    this.columns.add(column)
    this.#shape.standIn?.columns.add(column)
    return `${this.alias}.${this.#sql.dialect.quote(column)}`
  }

  /** The condition that a column of the first table has the value of a parameter. */
  has(column: string, bind: () => string): string {
    return column === this.#shape.companyColumn ? this.ofCompany() : `${this.own(column)} = ${bind()}`
  }

  /** The condition that the first table's row is of the company. */
  ofCompany(): string {
    const { companyColumn = '', isExternal } = this.#shape
    const name = this.own(companyColumn)
    const { company, dialect } = this.#sql
    return isExternal ? dialect.isText(name, company) : `${name} = ${company}`
  }

  #aliasOf(table: string): string {
    return `${this.alias}_${table}`
  }

  #use(table: string): void {
    if (this.#joined.has(table)) return
    this.#joined.add(table)
    const join = this.#shape.joins[table]
    if (!join) throw new Error(`there is no join called ${table}`)
    const alias = this.#aliasOf(table)
    const { quote } = this.#sql.dialect
    const on = join.on.map(([left, right]) => `${alias}.${quote(right)} = ${this.#read(left)}`)
    on.unshift(`${alias}.${quote(COMPANY_COLUMN)} = ${this.#sql.company}`)
    this.from.join(` left join ${this.#sql.table(join.table)} ${alias} on ${on.join(' and ')}`)
  }

  #descriptionOf(code: string, codes: NonNullable<ValueProperty['codes']>): string {
    const { company } = this.#sql
    if ('valueList' in codes) {
      const [name, language] = [codes.valueList, this.#sql.language].map(textLiteral)
      return `(select title from value_list where company_id = ${company} and name = ${name} and language = ${language} and code = ${code}${this.#isThere()})`
    }
    // The newest period of a value provides its description.
    return `(select description from attribute_value where company_id = ${company} and attribute_id = ${this.#attributeOf(codes)} and attribute_value = ${code}${this.#isThere()} order by period_from desc limit 1)`
  }

  /** A row that is missing has no descriptions, also not of the code that its absent values read as. */
  #isThere(): string {
    return this.#shape.isOptional ? ` and ${this.#isRow()}` : ''
  }

  #isRow(): string {
    const { companyColumn = '' } = this.#shape
    return `${this.alias}.${this.#sql.dialect.quote(companyColumn)} is not null`
  }

  #attributeOf(codes: Exclude<NonNullable<ValueProperty['codes']>, { valueList: string }>): string {
    if ('attributeId' in codes) return textLiteral(codes.attributeId)
    if ('attributeIdIn' in codes) return this.#read(codes.attributeIdIn)
    return `(select attribute_id from attribute where company_id = ${this.#sql.company} and name = ${textLiteral(codes.attributeName)} limit 1)`
  }
}

/** The rows that are read in place of those of a document's table. */
function standInRows(
  { joins, companyColumn }: DocumentDefinition,
  standIn: StandIn,
  sql: SqlParameters,
  alias: string,
): FromClause {
  const from = new From(`${sql.dialect.quote(standIn.name)} ${alias}`)
  const rows = new FromClause(sql, alias, from, { joins, companyColumn, isOptional: false, standIn })
  rows.own(companyColumn)
  return rows
}

function pinOf({ table }: DocumentDefinition, { dialect }: SqlParameters, choice: Choice | undefined): string {
  return choice && dialect.pinned ? dialect.pinned(table, choice.isPrimary ? undefined : choice.index.name) : ''
}

/** Columns of external tables may hold what is no value of their property: it reads as null, which is absent. */
function readsAsNull({ isNullable, storedAs }: Column): boolean {
  return isNullable === true || (storedAs !== undefined && READ_AS_NULL.has(storedAs))
}

const READ_AS_NULL: ReadonlySet<StoredAs> = new Set([
  'integer',
  'double',
  'decimal',
  'date',
  'timestamp',
  'timestamptz',
])

/** The value that a missing one reads as. */
function absentLiteral(type: ValueType): string {
  const absent = ABSENT[type]
  return typeof absent === 'string' ? textLiteral(absent) : String(absent)
}

/** The same for what is computed, in its form. */
export function absentSql(type: ValueType, { dialect }: SqlParameters): string {
  return type === 'exact' ? dialect.literal(dialect.exactValue('0'), type, false) : absentLiteral(type)
}
