// The lines of a single record, in the statement that reads it: those that the row rule of their document shows.
import type { RawBuilder } from 'kysely'
import type { LinesProperty } from '../../model/document.ts'
import type { Fields } from '../../model/record-fields.ts'
import { rowRuleOf } from '../../query/row-rule.ts'
import type { Dialect } from '../dialect.ts'
import { columnIn, ITEM, objectJson, RECORD, type Writing } from '../record-statements.ts'
import { FilterCompiler } from '../rows/compile-filter.ts'
import { literalsOf } from '../rows/emitter.ts'
import { FromClause } from '../rows/rows.ts'
import { BY_KEY } from '../rows/sought-text.ts'
import { withCompany } from '../statement.ts'

export interface ShownLines {
  readonly name: string
  readonly property: LinesProperty
  /** What is answered of each. */
  readonly fields: Fields
}

/** SQL of a JSON object with the lines of the record, up to so many of each. */
export function linesJson(
  lines: readonly ShownLines[],
  most: number,
  dialect: Dialect,
  companyId: RawBuilder<never>,
): RawBuilder<unknown> {
  return withCompany((company) => {
    const writing = { dialect, company }
    return dialect.jsonObject(lines.map((one) => [one.name, linesSql(one, most, writing)]))
  }, companyId)
}

function linesSql({ property, fields }: ShownLines, most: number, writing: Writing): string {
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
  return dialect.jsonList(objectJson(fields, writing, ITEM), from, order)
}
