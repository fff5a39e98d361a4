// What a query text says, before anything is known of a document.

export interface Literal {
  readonly kind: 'literal'
  readonly type: 'string' | 'number' | 'boolean' | 'date' | 'null'
  /** As it was written, a string without its quotes. */
  readonly text: string
  readonly position: number
}

export interface PropertyPath {
  readonly kind: 'property'
  readonly names: readonly string[]
  readonly position: number
  /** Of each name. */
  readonly positions: readonly number[]
}

export interface Call {
  readonly kind: 'call'
  /** In lower case. */
  readonly name: string
  readonly args: readonly Operand[]
  readonly position: number
}

export type Operand = Literal | PropertyPath | Call

export const COMPARISONS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof COMPARISONS)[number]

export type Expression =
  /** Terms in a row are one node, so that a long chain is not a deep tree. */
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Expression[] }
  | { readonly kind: 'not'; readonly term: Expression }
  | {
      readonly kind: 'compare'
      readonly op: Comparison
      readonly left: Operand
      readonly right: Operand
      readonly position: number
    }
  | { readonly kind: 'in'; readonly operand: Operand; readonly values: readonly Literal[]; readonly position: number }
  /** Something that is true or false by itself. */
  | { readonly kind: 'test'; readonly operand: Operand; readonly position: number }
  /** Whether any or all items of a list meet a condition; a property path begins with the variable. */
  | {
      readonly kind: 'any' | 'all'
      readonly list: PropertyPath
      readonly variable: string
      readonly body: Expression | undefined
      readonly position: number
    }

/** `*`, or a property with what is wanted inside it and of its description. */
export interface SelectItem {
  readonly name: string
  readonly position: number
  /** What stands in brackets or behind a slash; absent: all of it. */
  readonly inside: readonly SelectItem[] | undefined
  /** `T` the description alone, `C;T` both. */
  readonly description: 'T' | 'C;T' | undefined
}

export interface OrderItem {
  readonly path: PropertyPath
  readonly isDescending: boolean
}
