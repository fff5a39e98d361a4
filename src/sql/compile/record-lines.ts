// What a single record has besides its own columns, in the statement that reads it: what is computed, and the lines
// that the row rule of their document shows.
import type { RawBuilder } from 'kysely'
import type { DocumentDefinition, LinesProperty, ValueProperty } from '../../model/document.ts'
import type { Fields } from '../../model/record-fields.ts'
import { rowRuleOf } from '../../query/row-rule.ts'
import type { Dialect } from '../dialect.ts'
import { columnIn, ITEM, membersOf, RECORD, type Writing } from '../record-statements.ts'
import { FilterCompiler } from '../rows/compile-filter.ts'
import { literalsOf } from '../rows/emitter.ts'
import { FromClause } from '../rows/rows.ts'
import { BY_KEY } from '../rows/sought-text.ts'
import { withCompany } from '../statement.ts'

/** The computed properties by their names. */
export type ShownComputed = readonly (readonly [string, ValueProperty])[]

export interface ShownLines {
  readonly name: string
  readonly property: LinesProperty
  readonly computed: ShownComputed
  /** What else is answered of each. */
  readonly fields: Fields
}

/** SQL of a JSON object with what is computed of a record, and with its lines, up to so many of each. */
export function membersJson(
  definition: DocumentDefinition,
  computed: ShownComputed,
  lines: readonly ShownLines[],
  most: number,
  dialect: Dialect,
  companyId: RawBuilder<never>,
): RawBuilder<unknown> {
  return withCompany((company) => {
    const writing = { dialect, company }
    const own = computedMembers(FromClause.of(definition, literalsOf(dialect, company), RECORD), computed, dialect)
    return dialect.jsonObject([...own, ...lines.map((one) => [one.name, linesSql(one, most, writing)] as const)])
  }, companyId)
}

function computedMembers(rows: FromClause, computed: ShownComputed, dialect: Dialect) {
  return computed.map(([name, { source, type, scale }]) => {
    const { sql, units } = rows.column(source, type, scale)
    return [name, type === 'exact' ? dialect.jsonExact(sql, units) : sql] as const
  })
}

function linesSql({ property, fields, computed }: ShownLines, most: number, writing: Writing): string {
  const { dialect, company } = writing
  const { document, on, orderBy } = property.from
  const sql = literalsOf(dialect, company)
  const rows = FromClause.of(document, sql, ITEM, BY_KEY)
  const rule = rowRuleOf(document)
  const conditions = [
    rows.ofCompany(),
    ...on.map(([own, item]) => `${columnIn(ITEM, item)} = ${columnIn(RECORD, own)}`),
    ...(rule ? [new FilterCompiler(sql, rows).condition(rule)] : []),
  ]
  const order = orderBy.map((column) => columnIn(ITEM, column)).join(', ')
  const where = `where ${conditions.join(' and ')} order by ${order} limit ${most}`
  const from = `from (select ${ITEM}.* from ${rows.from.text()} ${where}) ${ITEM}`
  const members = [...membersOf(fields, writing, ITEM), ...computedMembers(rows, computed, dialect)]
  return dialect.jsonList(dialect.jsonObject(members), from)
}
