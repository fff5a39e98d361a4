import { linesOfTerm } from '../model/computed.ts'
import { isLines, type LinesProperty, type ListProperty, type Property } from '../model/document.ts'
import type { BoundExpression, BoundOperand, Place } from './bound.ts'
import type { Plan } from './plan.ts'
import type { SelectedProperty } from './plan-select.ts'

/** A property or a list in a filter. */
interface Named {
  readonly place: Place
  readonly property?: Property
  readonly list?: ListProperty
}

/** Whether a filter uses a property anywhere in its tree. */
export function mentions(filter: BoundExpression | undefined, property: Property): boolean {
  return hasNamed(filter, (named) => named.property === property)
}

/** Whether a filter asks what other records have, along an association or of lines. */
export function asksOthers(filter: BoundExpression | undefined): boolean {
  return hasNamed(filter, (named) => named.place.via.length > 0 || linesOfNamed(named).length > 0)
}

/** The lines that an answer has, and those that decide what is in it, or are added up for that. */
export function linesIn({ select, filter, order, grouping }: LinesPlan): LinesProperty[] {
  const found = select.flatMap(linesOf)
  hasNamed(filter, (named) => {
    found.push(...linesOfNamed(named))
    return false
  })
  const compared = [...order, ...(grouping?.groups ?? [])].map(({ by }) => by)
  const read = [...compared, ...(grouping?.aggregates ?? []).flatMap(({ of }) => of ?? [])]
  return [...found, ...read.flatMap(linesOfNamed)]
}

type LinesPlan = Pick<Plan, 'select' | 'filter' | 'order' | 'grouping'>

function linesOfNamed({ property, list }: Pick<Named, 'property' | 'list'>): LinesProperty[] {
  if (list) return isLines(list) ? [list] : []
  return property?.kind === 'value' && 'computed' in property.source ? linesOfTerm(property.source.computed) : []
}

function linesOf(selected: SelectedProperty): LinesProperty[] {
  if (selected.kind === 'value') return linesOfNamed(selected)
  if (selected.kind === 'list') return isLines(selected.list) ? [selected.list] : []
  return 'properties' in selected ? selected.properties.flatMap(linesOf) : []
}

function hasNamed(filter: BoundExpression | undefined, isMeant: (named: Named) => boolean): boolean {
  if (!filter) return false
  const inOperand = (operand: BoundOperand): boolean =>
    operand.kind === 'property' ? isMeant(operand) : operand.kind === 'call' && operand.args.some(inOperand)
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.some((term) => hasNamed(term, isMeant))
    case 'not':
      return hasNamed(filter.term, isMeant)
    case 'compare':
      return inOperand(filter.left) || inOperand(filter.right)
    case 'in':
    case 'test':
      return inOperand(filter.operand)
    case 'any':
    case 'all':
      return isMeant(filter) || hasNamed(filter.body, isMeant)
    case 'words':
      return false
  }
}
