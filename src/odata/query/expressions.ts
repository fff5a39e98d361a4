// The parser of conditions: OData 4.0's grammar (its ABNF, `commonExpr`), as the syntax tree of the service's own query
// language. What is legal OData but not supported is 501, with its name.
import { MAX_IN_VALUES, MAX_QUANTIFIER_DEPTH, MAX_QUANTIFIERS } from '../../query/parse/bounds.ts'
import {
  COMPARISONS,
  type Comparison,
  type Expression,
  isCount,
  type Literal,
  type Operand,
} from '../../query/parse/tree.ts'
import { literalAt } from './literals.ts'
import { pathAfter } from './paths.ts'
import type { Name, Scanner } from './scanner.ts'

const FUNCTIONS: ReadonlySet<string> = new Set([
  ...['contains', 'startswith', 'endswith', 'length', 'tolower', 'toupper', 'trim'],
  ...['date', 'year', 'month', 'day'],
])
const ARITHMETIC: ReadonlySet<string> = new Set(['add', 'sub', 'mul', 'div', 'divby', 'mod', 'has'])
/** No property has such a name. */
const RESERVED: ReadonlySet<string> = new Set(['and', 'or', 'in', 'not', ...COMPARISONS])
const OPERATORS = RESERVED.union(ARITHMETIC)
/** An operator has blanks on both sides; other words behind an operand are no business of this parser. */
const OPERATOR = /[ \t]+([A-Za-z]+)(?=[ \t(]|$)/y
const NOT = /not(?=[ \t(])/y

type Node = Expression | Operand

/** Parses a condition up to where it ends. */
export function parseCondition(scanner: Scanner): Expression {
  return new ExpressionParser(scanner).condition()
}

class ExpressionParser {
  readonly #scanner: Scanner
  #quantifiers = 0
  #quantifierDepth = 0

  constructor(scanner: Scanner) {
    this.#scanner = scanner
  }

  condition(): Expression {
    const { position } = this.#scanner
    return this.#asCondition(this.#or(), position)
  }

  #or(): Node {
    return this.#chain('or', () => this.#chain('and', () => this.#comparison()))
  }

  #chain(word: 'and' | 'or', next: () => Node): Node {
    const start = this.#scanner.position
    const first = next()
    if (!this.#takeOperator(word)) return first
    const terms = [this.#asCondition(first, start)]
    do {
      const { position } = this.#scanner
      terms.push(this.#asCondition(next(), position))
    } while (this.#takeOperator(word))
    return this.#scanner.part({ kind: word, terms })
  }

  #comparison(): Node {
    const { position } = this.#scanner
    const left = this.#unary()
    const operator = this.#operator()
    if (operator === undefined || operator === 'and' || operator === 'or') return left
    if (ARITHMETIC.has(operator)) throw this.#scanner.unsupported(`the operator ${operator}`)
    this.#takeOperator(operator)
    const operand = this.#asOperand(left, position)
    if (operator === 'in') return this.#in(operand, position)
    const start = this.#scanner.position
    const right = this.#asOperand(this.#unary(), start)
    const further = this.#operator()
    if (further !== undefined && ARITHMETIC.has(further)) throw this.#scanner.unsupported(`the operator ${further}`)
    return this.#scanner.part({ kind: 'compare', op: operator as Comparison, left: operand, right, position })
  }

  /** The operator that stands here, which is not taken. */
  #operator(): string | undefined {
    const { position } = this.#scanner
    const word = this.#scanner.match(OPERATOR)?.[1]
    this.#scanner.return(position)
    return word !== undefined && OPERATORS.has(word) && word !== 'not' ? word : undefined
  }

  #takeOperator(wanted: string): boolean {
    if (this.#operator() !== wanted) return false
    this.#scanner.match(OPERATOR)
    const { position } = this.#scanner
    this.#scanner.blanks()
    if (this.#scanner.position === position) throw this.#scanner.expected(`a blank after '${wanted}'`)
    return true
  }

  #unary(): Node {
    const scanner = this.#scanner
    if (!scanner.match(NOT)) return this.#primary()
    scanner.blanks()
    return scanner.nested(() => {
      const { position } = scanner
      return scanner.part({ kind: 'not', term: this.#asCondition(this.#comparison(), position) })
    })
  }

  #primary(): Node {
    const scanner = this.#scanner
    const { position } = scanner
    if (scanner.sees('(')) return this.#bracket()
    const literal = literalAt(scanner)
    if (literal) return literal
    if (scanner.sees('@')) throw scanner.unsupported('a parameter alias or annotation')
    if (scanner.sees('$')) throw scanner.unsupported('a path that begins with $')
    if (scanner.sees('-')) throw scanner.unsupported('the negation of a value')
    const name = scanner.name()
    if (!name || RESERVED.has(name.text)) {
      scanner.return(position)
      throw scanner.expected('a value')
    }
    if (scanner.sees('.')) throw scanner.unsupported('a qualified name', position)
    if (scanner.sees('(')) return this.#call(name)
    return this.#path(name)
  }

  #bracket(): Node {
    const scanner = this.#scanner
    return scanner.nested(() => {
      scanner.require('(')
      scanner.blanks()
      const inner = this.#or()
      scanner.blanks()
      scanner.require(')')
      return inner
    })
  }

  #call({ text: name, position }: Name): Node {
    const scanner = this.#scanner
    if (name === 'any' || name === 'all') throw scanner.expected(`the path of a list before '/${name}'`)
    if (!FUNCTIONS.has(name)) throw scanner.unsupported(`the function ${name}`, position)
    return scanner.nested(() => {
      const args: Operand[] = []
      scanner.require('(')
      scanner.blanks()
      do {
        scanner.blanks()
        const start = scanner.position
        args.push(this.#asOperand(this.#or(), start))
        scanner.blanks()
      } while (scanner.take(','))
      scanner.require(')')
      return scanner.part({ kind: 'call', name, args, position })
    })
  }

  #path(first: Name): Node {
    const scanner = this.#scanner
    const path = scanner.part(pathAfter(scanner, first))
    if (isCount(path.names.at(-1))) this.#countQuantifier(path.position)
    if (!scanner.take('/')) return path
    const { position } = scanner
    const kind = scanner.name()?.text
    if (kind !== 'any' && kind !== 'all') throw scanner.error('expected any or all', position)
    this.#countQuantifier(position)
    return scanner.nested(() => {
      scanner.require('(')
      scanner.blanks()
      if (kind === 'any' && scanner.take(')')) {
        return scanner.part({ kind, list: path, variable: '', body: undefined, position: path.position })
      }
      const variable = scanner.requireName('a variable').text
      scanner.blanks()
      scanner.require(':')
      scanner.blanks()
      this.#quantifierDepth += 1
      const body = this.condition()
      this.#quantifierDepth -= 1
      scanner.blanks()
      scanner.require(')')
      return scanner.part({ kind, list: path, variable, body, position: path.position })
    })
  }

  #countQuantifier(position: number): void {
    this.#quantifiers += 1
    if (this.#quantifiers > MAX_QUANTIFIERS) {
      throw this.#scanner.error(`more than ${MAX_QUANTIFIERS} any, all and $count`, position)
    }
    if (this.#quantifierDepth === MAX_QUANTIFIER_DEPTH) {
      throw this.#scanner.error(`any and all are nested deeper than ${MAX_QUANTIFIER_DEPTH} levels`, position)
    }
  }

  #in(operand: Operand, position: number): Expression {
    const scanner = this.#scanner
    if (!scanner.sees('(')) throw scanner.unsupported('a collection after in')
    scanner.require('(')
    scanner.blanks()
    const values: Literal[] = []
    if (scanner.take(')')) return scanner.part({ kind: 'in', operand, values, position })
    do {
      scanner.blanks()
      const literal = literalAt(scanner)
      if (!literal && scanner.name()) throw scanner.unsupported('a value that is no literal after in')
      if (!literal) throw scanner.expected('a literal')
      values.push(literal)
      if (values.length > MAX_IN_VALUES) throw scanner.error(`a list of more than ${MAX_IN_VALUES} values`)
      scanner.blanks()
    } while (scanner.take(','))
    scanner.require(')')
    return scanner.part({ kind: 'in', operand, values, position })
  }

  #asCondition(node: Node, position: number): Expression {
    return isOperand(node) ? { kind: 'test', operand: node, position } : node
  }

  #asOperand(node: Node, position: number): Operand {
    if (isOperand(node)) return node
    throw this.#scanner.unsupported('a condition as a value', position)
  }
}

function isOperand(node: Node): node is Operand {
  return node.kind === 'literal' || node.kind === 'property' || node.kind === 'call'
}
