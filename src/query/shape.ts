// The shape of a query: its filter and order in the query language with a placeholder for each value, so that it
// contains no data of the client. A placeholder has the type of the value, so that a sample query of the shape can be
// generated.
import type { DocumentDefinition, Properties, Property } from '../model/document.ts'
import type { BoundExpression, BoundOperand, BoundProperty, Place } from './bound.ts'
import type { BoundValue } from './bound-value.ts'
import { isColumn } from './groups.ts'
import type { Ordering } from './plan.ts'

/** Minimum length of a text that a text index can find. */
const MIN_TEXT_LENGTH = 3
/** Sample values for each kind of placeholder; `text` is a string long enough for a text index. */
const SAMPLES: Readonly<Record<string, string>> = {
  text: "'xxxxxx'",
  string: "'x'",
  integer: '1',
  number: '1.5',
  decimal: '1.5',
  boolean: 'true',
  'date-time': '2026-01-01T00:00:00.000Z',
  date: '2026-01-01',
}
const PLACEHOLDER = new RegExp(`\\?(${Object.keys(SAMPLES).join('|')})`, 'g')

export function filterShape(definition: DocumentDefinition, filter: BoundExpression): string {
  return new Printer(definition).expression(filter)
}

/** The shape of an order, without the key that ends every order. */
export function orderShape(definition: DocumentDefinition, order: readonly Ordering[]): string {
  const printer = new Printer(definition)
  const key = new Set(definition.key)
  const paths = order.map(({ by, isDescending }) => ({ path: printer.property(by), isDescending }))
  while (paths.length > 0 && !paths.at(-1)?.isDescending && key.has(paths.at(-1)?.path ?? '')) paths.pop()
  return paths.map(({ path, isDescending }) => (isDescending ? `${path} desc` : path)).join(', ')
}

/** The paths of properties. */
export function pathsOf(definition: DocumentDefinition, properties: readonly BoundProperty[]): string[] {
  const printer = new Printer(definition)
  return properties.map((one) => printer.property(one))
}

/** A sample filter with the given shape. */
export function sampleOf(shape: string): string {
  return shape.replace(PLACEHOLDER, (_placeholder, kind: string) => SAMPLES[kind] ?? '')
}

/** The shape without types, for people. */
export function withoutKinds(shape: string): string {
  return shape.replace(PLACEHOLDER, '?')
}

class Printer {
  readonly #definition: DocumentDefinition

  constructor(definition: DocumentDefinition) {
    this.#definition = definition
  }

  expression(one: BoundExpression): string {
    switch (one.kind) {
      case 'and':
      case 'or':
        return one.terms.map((term) => this.#inBrackets(term)).join(` ${one.kind} `)
      case 'not':
        return `not (${this.expression(one.term)})`
      case 'compare':
        return `${this.#operand(one.left)} ${one.op} ${this.#operand(one.right)}`
      case 'in':
        return `${this.#operand(one.operand)} in (${[...new Set(one.values.map(placeholderOf))].join(', ')})`
      case 'test':
        return this.#operand(one.operand)
      case 'any':
      case 'all': {
        const body = one.body === undefined ? '' : `x${one.item}: ${this.expression(one.body)}`
        return `${this.#pathTo(one.place, one.list)}/${one.kind}(${body})`
      }
      // The query language has no words for it: every document is found by them.
      case 'words':
        return '1 eq 1'
    }
  }

  property({ place, property }: BoundProperty): string {
    return this.#pathTo(place, property)
  }

  #inBrackets(term: BoundExpression): string {
    const text = this.expression(term)
    return term.kind === 'and' || term.kind === 'or' ? `(${text})` : text
  }

  #operand(operand: BoundOperand): string {
    switch (operand.kind) {
      case 'value':
        return placeholderOf(operand)
      case 'property':
        return this.property(operand)
      case 'call':
        return `${operand.name}(${operand.args.map((one) => this.#operand(one)).join(',')})`
    }
  }

  /** Rules of roles may use properties of the unrestricted document that are hidden in the queried one. */
  #pathTo({ item, via }: Place, property: Property): string {
    const { restriction, properties } = this.#definition
    const steps = [...via, property]
    const [first] = steps
    const start = first && (pathOf(properties, first) ?? pathOf(restriction?.whole.properties ?? {}, first))
    const rest = steps.slice(1).map((step, at) => {
      const before = steps[at]
      return before?.kind === 'association' ? pathOf(before.document.properties, step) : undefined
    })
    return [...(item === undefined ? [start] : [`x${item}`, start ?? this.#itemPath(property)]), ...rest].join('/')
  }

  /** The path of a property within the items of a list. */
  #itemPath(property: Property): string | undefined {
    const lists = Object.values(this.#definition.properties).filter((one) => one.kind === 'list')
    return lists.map((one) => pathOf(one.properties, property)).find((path) => path !== undefined)
  }
}

function placeholderOf({ type, value }: BoundValue): string {
  const isLong = typeof value === 'string' && type === 'string' && [...value].length >= MIN_TEXT_LENGTH
  return `?${isLong ? 'text' : type}`
}

function pathOf(properties: Properties, wanted: Property): string | undefined {
  return pathWhere(properties, (property) => property === wanted)
}

/** The path of the property that is stored in a column of the document's table, or of a joined one. */
export function pathOfColumn(properties: Properties, column: string, table?: string): string | undefined {
  const read = { column, ...(table === undefined ? {} : { table }) }
  return pathWhere(properties, (property) => property.kind === 'value' && isColumn(property.source, read))
}

function pathWhere(properties: Properties, isWanted: (property: Property) => boolean): string | undefined {
  for (const [name, property] of Object.entries(properties)) {
    if (isWanted(property)) return name
    const inside = property.kind === 'group' ? pathWhere(property.properties, isWanted) : undefined
    if (inside !== undefined) return `${name}/${inside}`
  }
  return undefined
}
