// A value in a bound query. What is asked of a literal while something is made of its query is noted: what is made then
// serves all queries of the same shape whose literals give the same answers. Parameters are made anew of each literal.
import type { ValueType } from '../model/document.ts'
import type { Literal } from './parse/tree.ts'

/** `date` is the type of a day, which the function of that name returns. */
export type BoundType = ValueType | 'date'

/** An integer beyond the safe range is a bigint; a decimal is a text of any length, except for 0. */
export type PlainValue = string | number | bigint | boolean

interface Note {
  /** The number of the literal. */
  readonly at: number
  readonly question: (value: PlainValue) => unknown
  readonly answer: unknown
}

/** How something is made of the value of a literal, whichever it is. */
interface Making<Made> {
  /** The number of the literal; absent where none of the query decides. */
  readonly at: number | undefined
  readonly value: Made
  readonly make: (value: PlainValue) => Made
}

let notes: Note[] | undefined

const asItIs = (value: PlainValue) => value

export class BoundValue {
  readonly kind = 'value'
  readonly type: BoundType
  /** Undefined where no literal of the query says it. */
  readonly literal: Literal | undefined
  /** The value of the literal, and what is made of it. */
  readonly #given: PlainValue
  readonly #converted: (value: PlainValue) => PlainValue

  constructor(type: BoundType, given: PlainValue, literal?: Literal, converted = asItIs) {
    this.type = type
    this.literal = literal
    this.#given = given
    this.#converted = converted
  }

  /** What is made with this serves no other value. */
  get value(): PlainValue {
    return this.ask(asItIs)
  }

  /** The answer to a question that depends on the value alone: what is made with it serves values that answer alike. */
  ask<Answer extends PlainValue | undefined>(question: (value: PlainValue) => Answer): Answer {
    const { at, value, make } = this.made(question)
    if (at !== undefined) notes?.push({ at, question: make, answer: value })
    return value
  }

  /** The value that is made of this one, for parameters. */
  to(convert: (value: PlainValue) => PlainValue): BoundValue {
    return new BoundValue(this.type, this.#given, this.literal, this.made(convert).make)
  }

  /** For parameters alone: what is made with it must not depend on the value. */
  made<Made>(convert: (value: PlainValue) => Made): Making<Made> {
    const make = (given: PlainValue) => convert(this.#converted(given))
    return { at: this.literal?.at, value: make(this.#given), make }
  }
}

/** What was made, and whether it serves other values: by the numbers of their literals. */
export interface Reusable<Made> {
  readonly made: Made
  serves(values: readonly PlainValue[]): boolean
}

export function noted<Made>(make: () => Made): Reusable<Made> {
  const outer = notes
  const own: Note[] = []
  notes = own
  try {
    const made = make()
    return { made, serves: (values) => own.every(({ at, question, answer }) => isAnswer(question, values[at], answer)) }
  } finally {
    notes = outer
    outer?.push(...own)
  }
}

function isAnswer(question: Note['question'], value: PlainValue | undefined, answer: unknown): boolean {
  return value !== undefined && Object.is(question(value), answer)
}
