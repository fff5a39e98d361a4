// How far a query may have to look: what an index could find of it, for a store that must not be held up by a scan.
import type { DocumentDefinition } from '../../model/document.ts'
import type { BoundExpression, BoundOperand } from '../../query/bound.ts'
import type { CompiledQuery, Scope } from '../store.ts'
import { FilterCompiler } from './compile-filter.ts'
import { Emitter } from './emitter.ts'
import type { Expressions } from './expressions.ts'
import { Rows } from './rows.ts'
import { whereOf } from './where.ts'

export function reachOf(
  definition: DocumentDefinition,
  scope: Scope,
  filter: BoundExpression | undefined,
  engine: Expressions,
  most: number,
): CompiledQuery['reach'] {
  const terms = filter === undefined ? [] : termsOf(filter)
  const bounds = terms.map(boundsOf)
  const isSearchable = bounds.every((one) => one !== undefined)
  return {
    table: definition.table,
    scope,
    most,
    terms: isSearchable ? bounds.reduce((sum, one) => sum + one.count, scope.length) : undefined,
    within(columns, limit) {
      const emitter = new Emitter(engine, '')
      const rows = Rows.of(definition, emitter)
      const inside = terms.filter((_term, at) => columns.has(bounds[at]?.column ?? ''))
      const [only] = inside
      const narrowed = inside.length > 1 ? { kind: 'and' as const, terms: inside } : only
      const where = whereOf(emitter, rows, new FilterCompiler(emitter, rows), scope, narrowed)
      const text = `select count(*) from (select 1 from ${rows.from.text()} ${where} limit ${limit})`
      return { text, parameters: emitter.parameters }
    },
  }
}

function termsOf(filter: BoundExpression): readonly BoundExpression[] {
  return filter.kind === 'and' ? filter.terms.flatMap(termsOf) : [filter]
}

interface Bounds {
  readonly column: string
  /** How many bounds of an index search say the same. */
  readonly count: number
}

/** Nothing for a term that no index alone can find. */
function boundsOf(term: BoundExpression): Bounds | undefined {
  switch (term.kind) {
    case 'in':
      return boundsOn(term.operand, 1)
    case 'compare':
      return term.op !== 'ne' && term.right.kind === 'value' ? boundsOn(term.left, 1) : undefined
    case 'test': {
      const { operand } = term
      if (operand.kind !== 'call' || operand.name !== 'startswith' || operand.args[1]?.kind !== 'value')
        return undefined
      return operand.args[0] && boundsOn(operand.args[0], 2)
    }
    default:
      return undefined
  }
}

/** Only columns of the document's own table count: those of joined rows are looked at after it was searched. */
function boundsOn(operand: BoundOperand, count: number): Bounds | undefined {
  if (operand.kind !== 'property' || operand.place.item !== undefined || operand.place.via.length > 0) return undefined
  const { source } = operand.property
  return 'column' in source && source.table === undefined ? { column: source.column, count } : undefined
}
