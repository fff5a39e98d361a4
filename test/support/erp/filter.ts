// The filters that a reader of whole documents needs: comparisons, `in`, and, or, not, parentheses.
import { compareValues } from './cut.ts'
import { type Property, propertyAt, type Row, type Shape, timeOf, valueAt } from './kind.ts'
import { invalidQuery } from './refusal.ts'

export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'

export interface Compared {
  readonly op: Comparison | 'in'
  readonly path: readonly string[]
  readonly property: Property
  /** Times in milliseconds; one, but for `in`. */
  readonly values: readonly (string | number)[]
}

export interface Joined {
  readonly op: 'and' | 'or' | 'not'
  readonly of: readonly Node[]
}

export type Node = Compared | Joined

export const isCompared = (node: Node): node is Compared => 'path' in node

/** How the ERP compares texts. */
export type Collate = (value: string | number) => string | number

const TOKEN = /\s*(?:(\(|\)|,)|((?:datetime)?'(?:[^']|'')*')|([^\s(),']+))/gy
const COMPARISONS: readonly string[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le']

/** `localMs`: see `Habits`; times with a zone are compared as the clock of that place shows them. */
export function parseFilter(text: string, shape: Shape, collate: Collate, localMs = 0): Node {
  return new Parser(text, shape, collate, localMs).whole()
}

class Parser {
  readonly #tokens: { text: string; at: number }[] = []
  readonly #shape: Shape
  readonly #collate: Collate
  readonly #localMs: number
  #next = 0

  constructor(text: string, shape: Shape, collate: Collate, localMs: number) {
    this.#shape = shape
    this.#collate = collate
    this.#localMs = localMs
    const end = text.trimEnd().length
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < end) {
      const at = TOKEN.lastIndex
      const match = TOKEN.exec(text)
      if (!match) throw syntaxError(at)
      this.#tokens.push({ text: match[1] ?? match[2] ?? match[3]!, at })
    }
  }

  whole(): Node {
    const node = this.#or()
    if (this.#next < this.#tokens.length) throw this.#error()
    return node
  }

  #or(): Node {
    const of = [this.#and()]
    while (this.#takes('or')) of.push(this.#and())
    return of.length === 1 ? of[0]! : { op: 'or', of }
  }

  #and(): Node {
    const of = [this.#not()]
    while (this.#takes('and')) of.push(this.#not())
    return of.length === 1 ? of[0]! : { op: 'and', of }
  }

  #not(): Node {
    if (this.#takes('not')) return { op: 'not', of: [this.#not()] }
    if (!this.#takes('(')) return this.#comparison()
    const node = this.#or()
    if (!this.#takes(')')) throw this.#error()
    return node
  }

  #comparison(): Node {
    const name = this.#take()
    const found = propertyAt(this.#shape, name.split('/'))
    if (!found) throw invalidQuery(`Unknown property '${name}' in the filter.`)
    const op = this.#take().toLowerCase()
    if (op === 'in') return { op, ...found, values: this.#list(found.property) }
    if (!COMPARISONS.includes(op)) throw this.#error(this.#next - 1)
    return { op: op as Comparison, ...found, values: [this.#literal(found.property)] }
  }

  #list(property: Property): (string | number)[] {
    if (!this.#takes('(')) throw this.#error()
    const values = [this.#literal(property)]
    while (this.#takes(',')) values.push(this.#literal(property))
    if (!this.#takes(')')) throw this.#error()
    return values
  }

  #literal({ type }: Property): string | number {
    const token = this.#take()
    const quoted = /^(?:datetime)?'(.*)'$/is.exec(token)
    const text = quoted ? quoted[1]!.replaceAll("''", "'") : token
    const value = type === 'string' || type === 'boolean' ? this.#collate(text) : this.#numberOf(type, text)
    if (typeof value === 'number' && Number.isNaN(value)) throw invalidQuery(`The value '${text}' is no ${type}.`)
    return value
  }

  #numberOf(type: string, text: string): number {
    if (type !== 'date-time') return Number(text)
    return timeOf(text) + (/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? this.#localMs : 0)
  }

  #takes(text: string): boolean {
    if (this.#tokens[this.#next]?.text.toLowerCase() !== text) return false
    this.#next += 1
    return true
  }

  #take(): string {
    const token = this.#tokens[this.#next]
    if (!token) throw this.#error()
    this.#next += 1
    return token.text
  }

  #error(place = this.#next) {
    return syntaxError(this.#tokens[place]?.at ?? this.#tokens.at(-1)?.at ?? 0)
  }
}

const syntaxError = (at: number) => invalidQuery(`Syntax error at position ${at}: the filter is not understood.`)

/** The value of a row as filters and orders compare it. */
export function comparable(row: Row, path: readonly string[], { type }: Property, collate: Collate): string | number {
  const value = valueAt(row, path)
  if (type === 'string' || type === 'boolean') return collate(String(value ?? ''))
  const number = type === 'date-time' ? timeOf(value) : Number(value ?? 0)
  return Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number
}

/** Whether a row is one that the filter asks for. */
export function predicateOf(node: Node, collate: Collate): (row: Row) => boolean {
  if (isCompared(node)) {
    const { path, property, values } = node
    const holds = comparisonOf(node)
    return (row) => {
      const value = comparable(row, path, property, collate)
      return values.some((wanted) => holds(compareValues(value, wanted)))
    }
  }
  const parts = node.of.map((part) => predicateOf(part, collate))
  if (node.op === 'not') return (row) => !parts[0]!(row)
  return node.op === 'and' ? (row) => parts.every((part) => part(row)) : (row) => parts.some((part) => part(row))
}

function comparisonOf({ op }: Compared): (order: number) => boolean {
  if (op === 'ne') return (order) => order !== 0
  if (op === 'gt') return (order) => order > 0
  if (op === 'ge') return (order) => order >= 0
  if (op === 'lt') return (order) => order < 0
  if (op === 'le') return (order) => order <= 0
  return (order) => order === 0
}
