// A plan to one statement in which the database itself makes the JSON text. Identifiers come from the definition
// alone; every value of the query text is a bound parameter.
import type { DocumentDefinition } from '../../model/document.ts'
import type { BoundExpression } from '../../query/bound.ts'
import type { Plan, SelectedProperty } from '../../query/plan.ts'
import type { SqlValue } from '../statement.ts'
import type { CompiledQuery } from '../store.ts'
import { compileFilter } from './compile-filter.ts'
import { type Emitter, emitterFor } from './emitter.ts'
import type { Expressions, JsonMember } from './expressions.ts'

/** Columns of the document's own table that must have these values, such as the company. */
export type Scope = readonly (readonly [column: string, value: SqlValue])[]

/** The rows of a plan within a scope: one row with one column, the JSON array. */
export function compileCollection(plan: Plan, scope: Scope, engine: Expressions): CompiledQuery {
  const emitter = emitterFor(plan.definition, engine)
  const members = plan.select.map((selected) => jsonMember(selected, emitter))
  const where = whereOf(emitter, scope, plan.filter)
  const order = plan.order
    .map(({ property, isDescending }) => emitter.column(property) + (isDescending ? ' desc' : ''))
    .join(', ')
  const limit = `limit ${emitter.bind(plan.limit, 'integer')} offset ${emitter.bind(plan.offset, 'integer')}`
  const from = `from ${emitter.tables()} ${where} order by ${order} ${limit}`
  return { text: engine.jsonArray(members, from), parameters: emitter.parameters }
}

/** How many rows a filter leaves within a scope: one row with one column. */
export function compileCount(
  definition: DocumentDefinition,
  filter: BoundExpression | undefined,
  scope: Scope,
  engine: Expressions,
): CompiledQuery {
  const emitter = emitterFor(definition, engine)
  const where = whereOf(emitter, scope, filter)
  return { text: `select count(*) as total from ${emitter.tables()} ${where}`, parameters: emitter.parameters }
}

function whereOf(emitter: Emitter, scope: Scope, filter: BoundExpression | undefined): string {
  const fixed = scope.map(([column, value]) => {
    const type = typeof value === 'number' ? 'integer' : 'string'
    return `${emitter.own({ column })} = ${emitter.bind(value, type)}`
  })
  return `where ${[...fixed, ...(filter ? [compileFilter(filter, emitter)] : [])].join(' and ')}`
}

function jsonMember(selected: SelectedProperty, emitter: Emitter): JsonMember {
  if (selected.kind === 'group') {
    return { name: selected.name, members: selected.properties.map((inner) => jsonMember(inner, emitter)) }
  }
  return { name: selected.name, column: emitter.column(selected.property), type: selected.property.type }
}
