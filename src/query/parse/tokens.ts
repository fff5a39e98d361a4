// The tokenizer of query texts. Every regular expression is sticky and runs in linear time, so no text takes long.
import { shortened } from '../../base/text.ts'
import { MAX_CHARACTERS, NO_CHARACTER } from './bounds.ts'
import { DOUBLED_QUOTE, localDateAt, type Misread, misreadAt, QUOTES } from './hints.ts'
import { type QueryOption, syntaxError } from './query-error.ts'
import type { Literal } from './tree.ts'

type TokenKind = 'name' | 'string' | 'number' | 'date' | 'mark' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** A string without its quotes; a number or date as it was written. */
  readonly text: string
  readonly position: number
}

const BLANKS = /\s*/y
const DATE = /\d{4}-\d{2}-\d{2}(?:[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?(?![\w.])/y
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y
/** A name, or the number of items of the list before it. */
const NAME = /[\p{L}_][\p{L}\p{N}_]*|\$[Cc][Oo][Uu][Nn][Tt](?![\p{L}\p{N}_])/uy
const MARK = /[()[\],/:;*]/y
/** The look-ahead keeps an unclosed string from ending in the middle of a doubled quote. */
const STRING = /'(?:[^']|'')*'(?!')/y

/** In the order in which they are tried; names are found so that no digits in them count as numbers. */
const VALUES = new RegExp([DATE, NUMBER, NAME, STRING].map(({ source }) => `(${source})`).join('|'), 'gu')

/** What stands for a value in a shape: no token begins with any of these. */
const MARKS = { string: '?', number: '#', date: '@' } as const

/**
 * The shape of a legal filter, with a mark in place of each value, and its values. Texts with one shape have the same
 * tokens otherwise. Undefined where characters alone tell that the text is not legal.
 */
export function shapeOf(text: string): { readonly shape: string; readonly literals: readonly Literal[] } | undefined {
  if (text.length > MAX_CHARACTERS || NO_CHARACTER.test(text)) return undefined
  const literals: Literal[] = []
  const shape = text.replace(VALUES, (token: string, date?: string, number?: string, name?: string, ...rest) => {
    if (name !== undefined) return token
    const type = date !== undefined ? 'date' : number !== undefined ? 'number' : 'string'
    const text = type === 'string' ? unquoted(token) : token
    literals.push({ kind: 'literal', type, text, position: rest[1] as number, at: literals.length })
    return MARKS[type]
  })
  return { shape, literals }
}

function unquoted(string: string): string {
  return string.slice(1, -1).replaceAll("''", "'")
}

/** Reads tokens in sequence, with one token of look-ahead. */
export class TokenStream {
  readonly option: QueryOption
  readonly #text: string
  #at = 0
  #taken: Token | undefined
  #next: Token

  constructor(option: QueryOption, text: string) {
    this.option = option
    this.#text = text
    if (text.length > MAX_CHARACTERS) {
      throw syntaxError(option, MAX_CHARACTERS, `the text is longer than ${MAX_CHARACTERS} characters`)
    }
    const invalid = text.search(NO_CHARACTER)
    if (invalid >= 0) {
      const code = text.charCodeAt(invalid).toString(16).toUpperCase().padStart(4, '0')
      throw syntaxError(option, invalid, `U+${code} can stand in no text`)
    }
    this.#next = this.#read()
  }

  peek(): Token {
    return this.#next
  }

  take(): Token {
    const token = this.#next
    this.#taken = token
    this.#next = this.#read()
    return token
  }

  /** Takes the next token if it is this mark. */
  takeMark(mark: string): boolean {
    if (!this.isMark(mark)) return false
    this.take()
    return true
  }

  isMark(mark: string): boolean {
    return this.#next.kind === 'mark' && this.#next.text === mark
  }

  /** Whether the next token is this word, in any letter case. */
  isWord(word: string): boolean {
    return this.#next.kind === 'name' && this.#next.text.toLowerCase() === word
  }

  /** Whether this character follows directly after the next token. */
  isFollowedBy(character: string): boolean {
    return this.#text[this.#at] === character
  }

  requireMark(mark: string): void {
    if (!this.takeMark(mark)) throw this.expected(`'${mark}'`)
  }

  requireEnd(): void {
    if (this.#next.kind !== 'end') throw this.expected('the end', this.#hintBehindValue())
  }

  expected(wanted: string, hint?: string): Error {
    const { kind, text, position } = this.#next
    const found = kind === 'end' ? 'the end' : kind === 'string' ? 'a string' : `'${shortened(text, 40)}'`
    return this.#error(position, `expected ${wanted}, found ${found}`, hint)
  }

  /** A word directly after a value suggests a string with an unescaped quote, or without quotes. */
  #hintBehindValue(): string | undefined {
    if (this.option !== 'filter' || this.#next.kind !== 'name' || !this.#taken) return undefined
    const { kind } = this.#taken
    if (kind === 'string') return this.#text[this.#next.position - 1] === "'" ? DOUBLED_QUOTE : undefined
    return kind === 'name' ? QUOTES : undefined
  }

  #error(position: number, problem: string, hint: string | undefined): Error {
    return syntaxError(this.option, position, hint === undefined ? problem : `${problem}: ${hint}`)
  }

  #misread(position: number, { text, hint }: Misread): Error {
    return this.#error(position, `'${shortened(text, 40)}' has no meaning here`, hint)
  }

  #read(): Token {
    this.#match(BLANKS)
    const position = this.#at
    if (position === this.#text.length) return { kind: 'end', text: '', position }
    const date = this.#token('date', DATE)
    if (date) return date
    const localDate = localDateAt(this.option, this.#text, position)
    if (localDate) throw this.#misread(position, localDate)
    const found = this.#token('number', NUMBER) ?? this.#token('name', NAME) ?? this.#token('mark', MARK)
    if (found) return this.#datetimeOr(found)
    if (this.#text[position] === "'") return this.#string(position)
    throw this.#misread(position, misreadAt(this.option, this.#text, position))
  }

  /** Supports the date literals of OData 2, such as `datetime'2026-01-31T00:00:00'`. */
  #datetimeOr(found: Token): Token {
    if (found.kind !== 'name' || found.text.toLowerCase() !== 'datetime' || !this.isFollowedBy("'")) return found
    return { ...this.#string(this.#at), kind: 'date', position: found.position }
  }

  #string(position: number): Token {
    const quoted = this.#match(STRING)
    if (quoted === undefined) throw this.#error(position, 'the string has no closing quote', DOUBLED_QUOTE)
    return { kind: 'string', text: unquoted(quoted), position }
  }

  #token(kind: TokenKind, pattern: RegExp): Token | undefined {
    const position = this.#at
    const text = this.#match(pattern)
    return text === undefined ? undefined : { kind, text, position }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (!found) return undefined
    this.#at = pattern.lastIndex
    return found[0]
  }
}
