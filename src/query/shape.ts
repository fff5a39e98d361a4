// The shape of a question: its filter and order in the query language, with a mark in the place of each value, so that
// nothing of what a caller has sent stands in it. A mark says the type, so that a question of the shape can be made again.
import type { DocumentDefinition, Properties, Property } from '../model/document.ts'
import type { BoundExpression, BoundOperand, BoundProperty, BoundValue, Place } from './bound.ts'
import type { Ordering } from './plan.ts'

/** A text of so many characters is found by an index of texts. */
const SEARCHED_LENGTH = 3
/** What stands for a value of each kind; `text` is one that is long enough to be searched for. */
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
const MARK = new RegExp(`\\?(${Object.keys(SAMPLES).join('|')})`, 'g')

export function filterShape(definition: DocumentDefinition, filter: BoundExpression): string {
  return new Printer(definition).expression(filter)
}

/** Without the key, which ends every order. */
export function orderShape(definition: DocumentDefinition, order: readonly Ordering[]): string {
  const printer = new Printer(definition)
  const key = new Set(definition.key)
  const paths = order.map(({ by, isDescending }) => ({ path: printer.property(by), isDescending }))
  while (paths.length > 0 && !paths.at(-1)?.isDescending && key.has(paths.at(-1)?.path ?? '')) paths.pop()
  return paths.map(({ path, isDescending }) => (isDescending ? `${path} desc` : path)).join(', ')
}

/** A question of the shape. */
export function sampleOf(shape: string): string {
  return shape.replace(MARK, (_mark, kind: string) => SAMPLES[kind] ?? '')
}

/** For people. */
export function withoutKinds(shape: string): string {
  return shape.replace(MARK, '?')
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
        return `${this.#operand(one.operand)} in (${[...new Set(one.values.map(markOf))].join(', ')})`
      case 'test':
        return this.#operand(one.operand)
      case 'any':
      case 'all': {
        const body = one.body === undefined ? '' : `x${one.item}: ${this.expression(one.body)}`
        return `${this.#pathTo(one.place, one.list)}/${one.kind}(${body})`
      }
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
        return markOf(operand)
      case 'property':
        return this.property(operand)
      case 'call':
        return `${operand.name}(${operand.args.map((one) => this.#operand(one)).join(',')})`
    }
  }

  /** Rules of roles name properties of the whole document, which may be hidden in the one that is asked. */
  #pathTo({ item, via }: Place, property: Property): string {
    const { restriction, properties } = this.#definition
    const steps = [...via, property]
    const [first] = steps
    const start = first && (pathOf(properties, first) ?? pathOf(restriction?.whole.properties ?? {}, first))
    const behind = steps.slice(1).map((step, at) => {
      const before = steps[at]
      return before?.kind === 'association' ? pathOf(before.document.properties, step) : undefined
    })
    return [...(item === undefined ? [start] : [`x${item}`, start ?? this.#itemPath(property)]), ...behind].join('/')
  }

  /** Of a property inside the items of a list. */
  #itemPath(property: Property): string | undefined {
    const lists = Object.values(this.#definition.properties).filter((one) => one.kind === 'list')
    return lists.map((one) => pathOf(one.properties, property)).find((path) => path !== undefined)
  }
}

function markOf({ type, value }: BoundValue): string {
  const isSearched = typeof value === 'string' && type === 'string' && [...value].length >= SEARCHED_LENGTH
  return `?${isSearched ? 'text' : type}`
}

function pathOf(properties: Properties, wanted: Property): string | undefined {
  for (const [name, property] of Object.entries(properties)) {
    if (property === wanted) return name
    const inside = property.kind === 'group' ? pathOf(property.properties, wanted) : undefined
    if (inside !== undefined) return `${name}/${inside}`
  }
  return undefined
}

/** The path of the property that is kept in a column of the document's own table. */
export function pathOfColumn(properties: Properties, column: string): string | undefined {
  for (const [name, property] of Object.entries(properties)) {
    if (property.kind === 'value' && 'column' in property.source) {
      if (property.source.table === undefined && property.source.column === column) return name
    }
    const inside = property.kind === 'group' ? pathOfColumn(property.properties, column) : undefined
    if (inside !== undefined) return `${name}/${inside}`
  }
  return undefined
}
