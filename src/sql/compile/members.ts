// The members of the objects that a query answers, and the columns of its cells.
import type { ValueType } from '../../model/document.ts'
import type { SelectedProperty } from '../../query/plan-select.ts'
import type { AnswerCell } from '../csv-text.ts'
import type { Dialect, JsonCell, JsonMember } from '../dialect.ts'
import type { AnswerForm } from '../rows/compiled-query.ts'
import type { SqlParameters } from '../rows/emitter.ts'
import type { FromClause } from '../rows/rows.ts'
import { type SelectedList, storedAs } from '../rows/stored-list.ts'

/** The statement that answers these members in a form. */
export function statementIn(form: AnswerForm, members: readonly JsonMember[], from: string, sql: SqlParameters) {
  const { dialect } = sql
  if (form === 'cells') return sql.statement(dialect.cells(flat(members), from))
  if (form === 'tuples') return sql.statement(dialect.tuples(flat(members), from))
  return sql.statement(jsonIn(form, members, from, dialect))
}

/** The statement that answers these members as JSON. */
export function jsonIn(form: AnswerForm, members: readonly JsonMember[], from: string, dialect: Dialect): string {
  if (form === 'start' && dialect.jsonStart) return dialect.jsonStart(members, from)
  return form === 'array' || form === 'start' ? dialect.jsonArray(members, from) : dialect.jsonRows(members, from)
}

/** Whether a form has columns, which stand in the order of the query. */
export function inColumns(form: AnswerForm): boolean {
  return form === 'cells' || form === 'tuples'
}

/** The columns of an answer in cells; members of a group are named `group.property`. */
export function cellsOf(select: readonly SelectedProperty[]): AnswerCell[] {
  return select.flatMap((selected): AnswerCell[] => {
    const { kind, name } = selected
    if (kind === 'group' || kind === 'association') {
      return cellsOf(selected.properties).map((cell) => ({ ...cell, name: `${name}.${cell.name}` }))
    }
    return [{ name, type: kind === 'value' ? CELL_TYPES[selected.property.type] : 'text' }]
  })
}

const CELL_TYPES: Readonly<Record<ValueType, AnswerCell['type']>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  decimal: 'number',
  exact: 'number',
  boolean: 'boolean',
  'date-time': 'date-time',
}

/** A selected property as a member of the answer. */
export function memberOf(selected: SelectedProperty, rows: FromClause, sql: SqlParameters): JsonMember {
  const { name } = selected
  switch (selected.kind) {
    case 'value': {
      const { source, type, scale } = selected.property
      const { sql, units } = rows.column(source, type, scale)
      return { name, sql, type, scale, units }
    }
    case 'description':
      return { name, sql: rows.description(selected.property), type: 'string' }
    case 'group':
      return { name, members: selected.properties.map((inner) => memberOf(inner, rows, sql)) }
    case 'association': {
      const other = rows.along(selected.association)
      return { name, members: selected.properties.map((inner) => memberOf(inner, other, sql)) }
    }
    case 'list':
      return { name, sql: listOf(selected, rows, sql), type: 'json' }
  }
}

function listOf(selected: SelectedList, outer: FromClause, sql: SqlParameters): string {
  const { dialect } = sql
  const stored = storedAs(selected)
  if (stored) return outer.storedList(stored)
  const { list, identity, properties } = selected
  const { rows, condition, orderBy, position } = outer.items(list)
  const members = [
    ...(identity?.ofRecord.map((inner) => memberOf(inner, outer, sql)) ?? []),
    ...(identity?.position ? [{ name: identity.position.name, sql: position, type: 'integer' as const }] : []),
    ...properties.map((inner) => memberOf(inner, rows, sql)),
  ]
  return dialect.list(members, `from ${rows.from.text()} where ${condition} order by ${orderBy}`)
}

function flat(members: readonly JsonMember[]): JsonCell[] {
  return members.flatMap((member) => ('members' in member ? flat(member.members) : [member]))
}
