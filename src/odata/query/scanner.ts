// Reads the text of a query option from left to right. OData's grammar has no tokens of its own: whether a blank may,
// must or must not stand somewhere depends on the place. Every pattern is sticky and runs in linear time.
import { shortened } from '../../base/text.ts'
import type { Problem } from '../../errors/problem.ts'
import { MAX_CHARACTERS, MAX_DEPTH, MAX_NODES, NO_CHARACTER } from '../../query/parse/bounds.ts'
import { type QueryOption, syntaxError } from '../../query/parse/query-error.ts'
import { notSupported } from './refusals.ts'

const BLANKS = /[ \t]*/y
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]{0,127}/uy
const STRING = /'(?:[^']|'')*'(?!')/y
const REST = /[^\s,()/;]+/y

export interface Name {
  readonly text: string
  readonly position: number
}

export class Scanner {
  readonly option: QueryOption
  readonly #text: string
  readonly #end: number
  #at: number
  #depth = 0
  #nodes = 0

  /** `option` names the text in messages. */
  constructor(option: QueryOption, text: string) {
    this.option = option
    this.#text = text
    this.#at = 0
    this.#end = text.length
    if (text.length > MAX_CHARACTERS) {
      throw syntaxError(option, MAX_CHARACTERS, `the text is longer than ${MAX_CHARACTERS} characters`)
    }
    const invalid = text.search(NO_CHARACTER)
    if (invalid >= 0) throw syntaxError(option, invalid, 'this character can stand in no text')
  }

  get position(): number {
    return this.#at
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end
  }

  /** Goes back to an earlier position. */
  return(position: number): void {
    this.#at = position
  }

  /** Takes what a sticky pattern matches here. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (!found) return undefined
    this.#at = pattern.lastIndex
    return found
  }

  /** Whether this text stands here. */
  sees(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }

  take(text: string): boolean {
    if (!this.sees(text)) return false
    this.#at += text.length
    return true
  }

  require(text: string): void {
    if (!this.take(text)) throw this.expected(`'${text}'`)
  }

  /** Blanks that may stand here. */
  blanks(): void {
    this.match(BLANKS)
  }

  name(): Name | undefined {
    const position = this.#at
    const found = this.match(NAME)
    return found && { text: found[0], position }
  }

  requireName(what: string): Name {
    const found = this.name()
    if (!found) throw this.expected(what)
    return found
  }

  /** A text in single quotes, without them. */
  string(): string | undefined {
    if (!this.sees("'")) return undefined
    const found = this.match(STRING)
    if (!found) throw this.error('the string has no closing quote; a quote inside a string is doubled')
    return found[0].slice(1, -1).replaceAll("''", "'")
  }

  requireEnd(): void {
    if (!this.isAtEnd) throw this.expected('the end')
  }

  expected(wanted: string): Error {
    return this.error(`expected ${wanted}, found ${this.#found()}`)
  }

  /** 400 at this position. */
  error(problem: string, position = this.#at): Error {
    return syntaxError(this.option, position, problem)
  }

  /** 501 for what the standard knows and this service does not. */
  unsupported(what: string, position = this.#at): Problem {
    return notSupported(`${what} at position ${position} of $${this.option}`)
  }

  /** Reads something that may hold itself. */
  nested<Result>(read: () => Result): Result {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw this.error(`nesting is deeper than ${MAX_DEPTH} levels`)
    const result = read()
    this.#depth -= 1
    return result
  }

  /** Counts a part of the text. */
  part<Node>(node: Node): Node {
    this.#nodes += 1
    if (this.#nodes > MAX_NODES) throw this.error(`more than ${MAX_NODES} parts`)
    return node
  }

  #found(): string {
    if (this.isAtEnd) return 'the end'
    const first = this.#text.charAt(this.#at)
    if (first === ' ' || first === '\t') return 'a blank'
    REST.lastIndex = this.#at
    return `'${shortened(REST.exec(this.#text)?.[0] ?? first, 40)}'`
  }
}
