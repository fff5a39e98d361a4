// The parser of filters (decision 6). Precedence: or < and < not < comparison.

import { MAX_DEPTH, MAX_IN_VALUES, MAX_NODES, MAX_QUANTIFIER_DEPTH, MAX_QUANTIFIERS } from './bounds.ts'
import { hintForWord, QUOTES } from './hints.ts'
import { syntaxError } from './query-error.ts'
import { type Token, TokenStream } from './tokens.ts'
import {
  COMPARISONS,
  type Comparison,
  type Expression,
  isCount,
  type Literal,
  type Operand,
  type PropertyPath,
} from './tree.ts'

/** Words that are never a value, so that a missing value is reported at its position and not later. */
const RESERVED: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', ...COMPARISONS])

/** Parses a filter text. Throws a QueryError with the position of the first error. `isNumbered`: its values are. */
export function parseFilter(text: string, isNumbered = false): Expression {
  const parser = new FilterParser(new TokenStream('filter', text), isNumbered)
  return parser.parse()
}

class FilterParser {
  readonly #tokens: TokenStream
  readonly #isNumbered: boolean
  #values = 0
  #depth = 0
  #nodes = 0
  #quantifiers = 0
  #quantifierDepth = 0

  constructor(tokens: TokenStream, isNumbered: boolean) {
    this.#tokens = tokens
    this.#isNumbered = isNumbered
  }

  parse(): Expression {
    const expression = this.#or()
    this.#tokens.requireEnd()
    return expression
  }

  #or(): Expression {
    return this.#chain('or', () => this.#chain('and', () => this.#not()))
  }

  #chain(word: 'and' | 'or', next: () => Expression): Expression {
    const terms = [next()]
    while (this.#tokens.isWord(word)) {
      this.#tokens.take()
      terms.push(next())
    }
    const [only] = terms
    return terms.length === 1 && only ? only : this.#node({ kind: word, terms })
  }

  #not(): Expression {
    if (!this.#tokens.isWord('not')) return this.#comparison()
    return this.#nested(() => {
      this.#tokens.take()
      return this.#node({ kind: 'not', term: this.#not() })
    })
  }

  #comparison(): Expression {
    const { position } = this.#tokens.peek()
    if (this.#tokens.isMark('(')) return this.#bracket()
    const left = this.#operand()
    if (left.kind === 'property') {
      const quantified = this.#quantified(left)
      if (quantified) return quantified
    }
    if (this.#tokens.isWord('in')) return this.#in(left, position)
    const op = this.#comparisonWord()
    if (op === undefined) {
      this.#rejectOtherLanguage(left)
      if (left.kind === 'literal') throw this.#tokens.expected('a comparison')
      return this.#node({ kind: 'test', operand: left, position })
    }
    return this.#node({ kind: 'compare', op, left, right: this.#operand(), position })
  }

  /** Throws if a word of another query language is in the position of a comparison. */
  #rejectOtherLanguage(left: Operand): void {
    const { kind, text } = this.#tokens.peek()
    const hint = kind === 'name' ? hintForWord(text, left) : undefined
    if (hint !== undefined) throw this.#tokens.expected('a comparison', hint)
  }

  #bracket(): Expression {
    return this.#nested(() => {
      this.#tokens.requireMark('(')
      const inner = this.#or()
      this.#tokens.requireMark(')')
      return inner
    })
  }

  #comparisonWord(): Comparison | undefined {
    const word = this.#tokens.peek().text.toLowerCase()
    const found = COMPARISONS.find((comparison) => comparison === word)
    if (found === undefined || this.#tokens.peek().kind !== 'name') return undefined
    this.#tokens.take()
    return found
  }

  #in(operand: Operand, position: number): Expression {
    this.#tokens.take()
    this.#tokens.requireMark('(')
    const values: Literal[] = []
    do {
      const token = this.#tokens.peek()
      const literal = this.#literal()
      if (!literal) throw this.#tokens.expected('a value', token.kind === 'name' ? QUOTES : undefined)
      values.push(literal)
      if (values.length > MAX_IN_VALUES) {
        throw syntaxError('filter', token.position, `a list of more than ${MAX_IN_VALUES} values`)
      }
    } while (this.#tokens.takeMark(','))
    this.#tokens.requireMark(')')
    return this.#node({ kind: 'in', operand, values, position })
  }

  /** Parses a quantifier such as `list/any(x: x/property eq 1)`: the path ends with a name before a parenthesis. */
  #quantified(path: PropertyPath): Expression | undefined {
    const kind = path.names.at(-1)?.toLowerCase()
    if (path.names.length < 2 || (kind !== 'any' && kind !== 'all') || !this.#tokens.isMark('(')) return undefined
    this.#countQuantifier(path.position)
    return this.#nested(() => {
      this.#tokens.requireMark('(')
      const list = { ...path, names: path.names.slice(0, -1), positions: path.positions.slice(0, -1) }
      if (this.#tokens.takeMark(')'))
        return this.#node({ kind, list, variable: '', body: undefined, position: path.position })
      if (this.#tokens.peek().kind !== 'name') throw this.#tokens.expected('a variable')
      const variable = this.#tokens.take().text
      this.#tokens.requireMark(':')
      this.#quantifierDepth += 1
      const body = this.#or()
      this.#quantifierDepth -= 1
      this.#tokens.requireMark(')')
      return this.#node({ kind, list, variable, body, position: path.position })
    })
  }

  #countQuantifier(position: number): void {
    this.#quantifiers += 1
    if (this.#quantifiers > MAX_QUANTIFIERS)
      throw syntaxError('filter', position, `the filter has more than ${MAX_QUANTIFIERS} any, all and $count`)
    if (this.#quantifierDepth === MAX_QUANTIFIER_DEPTH) {
      throw syntaxError('filter', position, `any and all are nested deeper than ${MAX_QUANTIFIER_DEPTH} levels`)
    }
  }

  #operand(): Operand {
    const literal = this.#literal()
    if (literal) return this.#node(literal)
    const token = this.#tokens.peek()
    if (token.kind !== 'name' || RESERVED.has(token.text.toLowerCase())) throw this.#tokens.expected('a value')
    this.#tokens.take()
    if (this.#tokens.isMark('(')) return this.#call(token.text.toLowerCase(), token.position)
    const path = [token]
    while (this.#tokens.takeMark('/')) {
      if (this.#tokens.peek().kind !== 'name') throw this.#tokens.expected('a property')
      path.push(this.#tokens.take())
    }
    if (isCount(path.at(-1)?.text)) this.#countQuantifier(token.position)
    return this.#node(propertyPath(path))
  }

  #call(name: string, position: number): Operand {
    return this.#nested(() => {
      this.#tokens.requireMark('(')
      const args: Operand[] = []
      if (!this.#tokens.isMark(')')) {
        do args.push(this.#operand())
        while (this.#tokens.takeMark(','))
      }
      this.#tokens.requireMark(')')
      return this.#node({ kind: 'call', name, args, position })
    })
  }

  #literal(): Literal | undefined {
    const { kind, text, position } = this.#tokens.peek()
    const type = kind === 'name' ? wordLiteral(text) : kind
    if (type !== 'string' && type !== 'number' && type !== 'date' && type !== 'boolean' && type !== 'null')
      return undefined
    this.#tokens.take()
    if (kind === 'name' || !this.#isNumbered) return { kind: 'literal', type, text, position }
    this.#values += 1
    return { kind: 'literal', type, text, position, at: this.#values - 1 }
  }

  #nested<Result>(read: () => Result): Result {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) {
      throw syntaxError('filter', this.#tokens.peek().position, `nesting is deeper than ${MAX_DEPTH} levels`)
    }
    const result = read()
    this.#depth -= 1
    return result
  }

  #node<Node>(node: Node): Node {
    this.#nodes += 1
    if (this.#nodes > MAX_NODES) {
      throw syntaxError('filter', this.#tokens.peek().position, `the filter has more than ${MAX_NODES} parts`)
    }
    return node
  }
}

/** Creates a property path from the tokens of its names. */
export function propertyPath(tokens: readonly Token[]): PropertyPath {
  const positions = tokens.map(({ position }) => position)
  return { kind: 'property', names: tokens.map(({ text }) => text), position: positions[0] ?? 0, positions }
}

function wordLiteral(word: string): 'boolean' | 'null' | undefined {
  const folded = word.toLowerCase()
  if (folded === 'true' || folded === 'false') return 'boolean'
  return folded === 'null' ? 'null' : undefined
}
