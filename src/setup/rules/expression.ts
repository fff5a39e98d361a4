// Reads the text of a computed property: `quantity * price`, `concat(code, ' ', name)`, `sum(lines/amount)`. Each term
// has a type, and every number its decimal places, so nothing is left to find out when records are read.
import { DECIMAL_DIGITS, GREATEST_SCALE } from '../../base/numbers/decimal.ts'
import { anyOf } from '../../base/text.ts'
import { termsIn } from '../../model/computed.ts'
import type { ComputedFunction, ListProperty, Term, ValueType } from '../../model/document.ts'
import { LONGEST_TEXT } from '../file/document-schema.ts'

/** What the names of an expression stand for. Throws MalformedExpression for a name that stands for nothing. */
export interface Scope {
  property(path: string): Term
  lines(name: string): { readonly path: string; readonly lines: ListProperty; readonly scope: Scope }
}

export class MalformedExpression extends Error {
  override readonly name = 'MalformedExpression'
}

/** The parts of an expression, with those of the computed properties that it names. */
const MAX_TERMS = 50
/** A product has the decimal places of all its factors. */
const MAX_PLACES = 18

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?)|([\p{L}_][\p{L}\p{N}_]*(?:\/[\p{L}_][\p{L}\p{N}_]*)*)|'((?:[^']|'')*)'|([-+*(),]))/uy

interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'mark' | 'end'
  readonly text: string
}

const END: Token = { kind: 'end', text: 'the end' }

/** The term of an expression. Throws MalformedExpression. */
export function readExpression(text: string, scope: Scope): Term {
  const term = new ExpressionReader(text, scope).read()
  if (term.type === 'date-time') throw new MalformedExpression('a date-time is stored, not computed')
  // A decimal has 18 digits; what is computed of it may have more.
  const made: Term = term.type === 'decimal' ? { ...term, type: 'exact' } : term
  if ([...termsIn(made)].length > MAX_TERMS)
    throw new MalformedExpression(`it has more than ${MAX_TERMS} parts, with those of the properties that it names`)
  if (made.scale > MAX_PLACES)
    throw new MalformedExpression(`it has ${made.scale} decimal places, at most ${MAX_PLACES}: use round(..., places)`)
  if (made.maxLength > LONGEST_TEXT)
    throw new MalformedExpression(
      `its texts may have ${made.maxLength} characters, at most ${LONGEST_TEXT}: give them a maxLength`,
    )
  return made
}

type Kind = 'number' | 'string' | 'date-time'

interface Signature {
  readonly args: readonly Kind[]
  readonly type: ValueType
}

const FUNCTIONS: Readonly<Partial<Record<string, Signature>>> = {
  days: { args: ['date-time', 'date-time'], type: 'integer' },
  length: { args: ['string'], type: 'integer' },
  tolower: { args: ['string'], type: 'string' },
  toupper: { args: ['string'], type: 'string' },
  trim: { args: ['string'], type: 'string' },
  year: { args: ['date-time'], type: 'integer' },
  month: { args: ['date-time'], type: 'integer' },
  day: { args: ['date-time'], type: 'integer' },
}
const NAMES = [...Object.keys(FUNCTIONS), 'concat', 'divide', 'round', 'sum', 'count']

/** Characters of an integer as text. */
const INTEGER_LENGTH = 20

class ExpressionReader {
  readonly #text: string
  readonly #scope: Scope
  #at = 0
  #next: Token
  #depth = 0

  constructor(text: string, scope: Scope) {
    this.#text = text
    this.#scope = scope
    this.#next = this.#readToken()
  }

  read(): Term {
    const term = this.#sum()
    if (this.#next !== END) throw this.#expected('the end')
    return term
  }

  #sum(): Term {
    let left = this.#product()
    for (;;) {
      const name = this.#takeMark('+') ? 'add' : this.#takeMark('-') ? 'subtract' : undefined
      if (!name) return left
      left = calculated(name, this.#number(left), this.#number(this.#product()))
    }
  }

  #product(): Term {
    let left = this.#factor()
    while (this.#takeMark('*')) left = calculated('multiply', this.#number(left), this.#number(this.#factor()))
    return left
  }

  #factor(): Term {
    const { kind, text } = this.#next
    if (this.#takeMark('-')) return calculated('subtract', ZERO, this.#number(this.#factor()))
    if (this.#takeMark('(')) return this.#closed(this.#nested(() => this.#sum()))
    if (kind === 'end' || kind === 'mark') throw this.#expected('a value')
    this.#take()
    if (kind === 'number') return this.#literal(text)
    if (kind === 'text') return { kind: 'literal', type: 'string', value: text, scale: 0, maxLength: text.length }
    return this.#takeMark('(')
      ? this.#closed(this.#nested(() => this.#call(text.toLowerCase())))
      : this.#scope.property(text)
  }

  #literal(text: string): Term {
    const [whole = '', fraction = ''] = text.split('.')
    if (whole.length + fraction.length > DECIMAL_DIGITS || fraction.length > GREATEST_SCALE)
      throw this.#problem(
        `${text} has more than ${DECIMAL_DIGITS} digits, or more than ${GREATEST_SCALE} behind the point`,
      )
    return { kind: 'literal', type: 'exact', value: BigInt(whole + fraction), scale: fraction.length, maxLength: 0 }
  }

  #call(name: string): Term {
    switch (name) {
      case 'sum':
      case 'count':
        return this.#ofLines(name)
      case 'concat':
        return this.#concat()
      case 'round': {
        const number = this.#number(this.#sum())
        const places = this.#places()
        return places < number.scale ? { ...NUMBER, name: 'round', args: [number], scale: places } : number
      }
      case 'divide': {
        const left = this.#number(this.#sum())
        this.#requireMark(',')
        const right = this.#number(this.#sum())
        return { ...NUMBER, name: 'divide', args: [left, right], scale: this.#places() }
      }
    }
    const signature = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
    if (!signature) throw this.#problem(`there is no function ${name}: use ${anyOf(NAMES)}`)
    const args = signature.args.map((kind, at) => {
      if (at > 0) this.#requireMark(',')
      return this.#argument(name, kind)
    })
    const maxLength = signature.type === 'string' ? (args[0]?.maxLength ?? 0) : 0
    return { kind: 'call', name: name as ComputedFunction, args, type: signature.type, scale: 0, maxLength }
  }

  #argument(name: string, kind: Kind): Term {
    const term = this.#sum()
    if (term.type === kind) return term
    throw this.#problem(`${name} takes a ${kind}, not ${withArticle(term)}`)
  }

  #concat(): Term {
    const args: Term[] = []
    do {
      const term = this.#sum()
      if (term.type !== 'string' && term.type !== 'integer')
        throw this.#problem(`concat takes strings and integers, not ${withArticle(term)}`)
      args.push(term)
    } while (this.#takeMark(','))
    const maxLength = args.reduce((sum, arg) => sum + (arg.type === 'integer' ? INTEGER_LENGTH : arg.maxLength), 0)
    return { kind: 'call', name: 'concat', args, type: 'string', scale: 0, maxLength }
  }

  /** `sum(lines/amount)`: a property of each line. `count(lines)` */
  #ofLines(name: 'sum' | 'count'): Term {
    const { kind, text } = this.#next
    if (kind !== 'name') throw this.#expected(name === 'sum' ? 'lines/property' : 'lines')
    this.#take()
    const [first = '', ...rest] = text.split('/')
    const { path, lines, scope } = this.#scope.lines(first)
    if (name === 'count') {
      if (rest.length > 0) throw this.#problem(`count takes lines alone: count(${first})`)
      return { kind: 'lines', path, lines, sumOf: undefined, type: 'integer', scale: 0, maxLength: 0 }
    }
    if (rest.length === 0) throw this.#problem(`sum takes a property of each line: sum(${first}/...)`)
    const sumOf = this.#number(scope.property(rest.join('/')))
    return { kind: 'lines', path, lines, sumOf, type: 'exact', scale: sumOf.scale, maxLength: 0 }
  }

  #number(term: Term): Term {
    if (term.type === 'integer' || term.type === 'decimal' || term.type === 'exact') return term
    throw this.#problem(`a number is expected, not ${withArticle(term)}`)
  }

  #places(): number {
    this.#requireMark(',')
    const { kind, text } = this.#next
    const places = Number(text)
    if (kind !== 'number' || !Number.isInteger(places) || places > GREATEST_SCALE)
      throw this.#expected(`a number of decimal places from 0 to ${GREATEST_SCALE}`)
    this.#take()
    return places
  }

  #nested<Result>(read: () => Result): Result {
    this.#depth += 1
    if (this.#depth > MAX_TERMS) throw this.#problem(`nesting is deeper than ${MAX_TERMS} levels`)
    const result = read()
    this.#depth -= 1
    return result
  }

  #closed(term: Term): Term {
    this.#requireMark(')')
    return term
  }

  #takeMark(mark: string): boolean {
    const isIt = this.#next.kind === 'mark' && this.#next.text === mark
    if (isIt) this.#take()
    return isIt
  }

  #requireMark(mark: string): void {
    if (!this.#takeMark(mark)) throw this.#expected(`'${mark}'`)
  }

  #take(): void {
    this.#next = this.#readToken()
  }

  #readToken(): Token {
    TOKEN.lastIndex = this.#at
    const found = TOKEN.exec(this.#text)
    if (!found) {
      if (this.#text.slice(this.#at).trim() === '') return END
      throw this.#problem(`'${this.#text.slice(this.#at).trim().charAt(0)}' has no meaning here`)
    }
    this.#at = TOKEN.lastIndex
    const [, number, name, text, mark] = found
    if (number !== undefined) return { kind: 'number', text: number }
    if (name !== undefined) return { kind: 'name', text: name }
    return text === undefined ? { kind: 'mark', text: mark ?? '' } : { kind: 'text', text: text.replaceAll("''", "'") }
  }

  #expected(wanted: string): MalformedExpression {
    const { kind, text } = this.#next
    return this.#problem(`expected ${wanted}, found ${kind === 'end' ? text : `'${text}'`}`)
  }

  #problem(message: string): MalformedExpression {
    return new MalformedExpression(`${message} (up to character ${this.#at})`)
  }
}

const NUMBER = { kind: 'call', type: 'exact', maxLength: 0 } as const
const ZERO: Term = { kind: 'literal', type: 'exact', value: 0n, scale: 0, maxLength: 0 }

function calculated(name: 'add' | 'subtract' | 'multiply', left: Term, right: Term): Term {
  const scale = name === 'multiply' ? left.scale + right.scale : Math.max(left.scale, right.scale)
  return { ...NUMBER, name, args: [left, right], scale }
}

function withArticle({ type }: Term): string {
  return type === 'integer' ? 'an integer' : `a ${type === 'exact' || type === 'decimal' ? 'number' : type}`
}
