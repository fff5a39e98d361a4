// The expressions of a map: `1`, `'NO'`, `[Town]`, `concat([First name], ' ', [Last name])`. They take the cells of a
// row as they stand in the file, and have a text.
import { didYouMean, foldName, nearestName, shortened } from '../../base/text.ts'
import { CellError } from './cell-forms.ts'
import { FileError } from './text-lines.ts'

export type MapExpression =
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'heading'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly MapExpression[] }

type Apply = (texts: readonly string[]) => string

/** The text of an expression for the cells of a row. */
export type CellsToText = (cells: readonly string[]) => string

/** What is wrong with an expression. */
export class ExpressionError extends Error {}

const MAX_LENGTH = 2_000
const MAX_DEPTH = 10
/** What is computed has at most as many characters: many of a long cell would fill the memory. */
const MAX_TEXT = 100_000

interface TextFunction {
  readonly apply: Apply
  readonly least: number
  readonly most: number
}

/** Those of filters, and `switch`, which translates codes. */
const FUNCTIONS: ReadonlyMap<string, TextFunction> = new Map([
  ['concat', { apply: (texts) => texts.join(''), least: 2, most: 50 }],
  ['trim', { apply: ([text = '']) => text.trim(), least: 1, most: 1 }],
  ['tolower', { apply: ([text = '']) => text.toLowerCase(), least: 1, most: 1 }],
  ['toupper', { apply: ([text = '']) => text.toUpperCase(), least: 1, most: 1 }],
  ['substring', { apply: substring, least: 2, most: 3 }],
  ['switch', { apply: switched, least: 3, most: 501 }],
])

/** From a place on, counted from 0, all characters or so many, as OData has it. */
function substring([text = '', from = '', count]: readonly string[]): string {
  const [start, length] = [from, count].map((digits = '') => (/^\d{1,9}$/.test(digits) ? Number(digits) : undefined))
  if (start === undefined || (count !== undefined && length === undefined)) {
    throw new CellError(`'${shortened(start === undefined ? from : (count ?? ''))}' is no place in a text`)
  }
  return [...text].slice(start, length === undefined ? undefined : start + length).join('')
}

/** `switch(text, one, result, other, result, else)`; without the last the text itself stays. */
function switched([text = '', ...cases]: readonly string[]): string {
  const wanted = foldName(text.trim())
  for (let at = 0; at + 1 < cases.length; at += 2) {
    if (foldName(cases[at] ?? '') === wanted) return cases[at + 1] ?? ''
  }
  return cases.length % 2 === 1 ? (cases.at(-1) ?? '') : text
}

const TOKEN = /\s*(?:'((?:[^']|'')*)'|\[([^\]]+)\]|(-?\d+(?:\.\d+)?)|(true|false)\b|([a-z]+)\s*\(|(\))|(,))/iy

/** Throws an ExpressionError. */
export function parseExpression(text: string): MapExpression {
  if (text.length > MAX_LENGTH) throw new ExpressionError(`an expression has at most ${MAX_LENGTH} characters`)
  const parser = new Parser(text)
  const expression = parser.expression(0)
  parser.requireEnd()
  return expression
}

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  expression(depth: number): MapExpression {
    if (depth > MAX_DEPTH) throw new ExpressionError(`functions stand in each other more than ${MAX_DEPTH} deep`)
    const [, quoted, heading, number, flag, name] = this.#next() ?? []
    if (quoted !== undefined) return { kind: 'constant', text: quoted.replaceAll("''", "'") }
    if (heading !== undefined) return { kind: 'heading', name: heading.trim() }
    const plain = number ?? flag?.toLowerCase()
    if (plain !== undefined) return { kind: 'constant', text: plain }
    if (name !== undefined) return this.#call(name, depth)
    throw new ExpressionError(
      `expected a text in quotes, a number, [a heading] or a function at '${shortened(this.#text.slice(this.#at), 20)}'`,
    )
  }

  requireEnd(): void {
    const rest = this.#text.slice(this.#at).trim()
    if (rest !== '') throw new ExpressionError(`nothing may follow the expression: '${shortened(rest, 20)}'`)
  }

  #call(given: string, depth: number): MapExpression {
    const found = FUNCTIONS.get(given.toLowerCase())
    if (!found) {
      const names = [...FUNCTIONS.keys()]
      const remedy = didYouMean(given, names, `: there are ${names.join(', ')}`)
      throw new ExpressionError(`there is no function '${shortened(given)}'${remedy}`)
    }
    const all: MapExpression[] = []
    do all.push(this.expression(depth + 1))
    while (this.#takes(7))
    if (!this.#takes(6)) throw new ExpressionError(`${given}( is not closed`)
    const { least, most } = found
    if (all.length < least || all.length > most) {
      const count = least === most ? String(least) : `${least} to ${most}`
      throw new ExpressionError(`${given} takes ${count} arguments, and has ${all.length}`)
    }
    return { kind: 'call', name: given.toLowerCase(), arguments: all }
  }

  #next(): RegExpExecArray | undefined {
    TOKEN.lastIndex = this.#at
    const found = TOKEN.exec(this.#text) ?? undefined
    if (found && (found[6] ?? found[7]) === undefined) this.#at = TOKEN.lastIndex
    return found
  }

  /** Goes behind the sign if it comes next: the comma or the bracket, by its group. */
  #takes(group: 6 | 7): boolean {
    TOKEN.lastIndex = this.#at
    const isNext = TOKEN.exec(this.#text)?.[group] !== undefined
    if (isNext) this.#at = TOKEN.lastIndex
    return isNext
  }
}

/** For rows under these headings. Throws a FileError for a heading that is not there. */
export function bindExpression(expression: MapExpression, headings: readonly string[]): CellsToText {
  if (expression.kind === 'constant') return () => expression.text
  if (expression.kind === 'heading') {
    const index = headings.findIndex((heading) => foldName(heading) === foldName(expression.name))
    if (index < 0) {
      const nearest = nearestName(expression.name, headings)
      throw new FileError(
        `the map takes [${shortened(expression.name)}], which is no heading of the file${nearest ? `; did you mean [${nearest}]?` : ''}`,
      )
    }
    return (cells) => cells[index] ?? ''
  }
  const bound = expression.arguments.map((one) => bindExpression(one, headings))
  const { apply } = FUNCTIONS.get(expression.name) as TextFunction
  return (cells) => {
    const text = apply(bound.map((one) => one(cells)))
    if (text.length > MAX_TEXT) throw new CellError(`what the map computes has more than ${MAX_TEXT} characters`)
    return text
  }
}
