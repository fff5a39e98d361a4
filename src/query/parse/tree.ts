// The syntax tree of a query text, independent of a document.

export interface Literal {
  readonly kind: 'literal'
  readonly type: 'string' | 'number' | 'boolean' | 'date' | 'null'
  /** The text as it was written; a string without its quotes. */
  readonly text: string
  readonly position: number
  /** Its number among the values in the text of a query, where other values may stand there. */
  readonly at?: number
  /** It is of no other type than that of its syntax. */
  readonly isTyped?: true
}

export interface PropertyPath {
  readonly kind: 'property'
  readonly names: readonly string[]
  readonly position: number
  /** The position of each name. */
  readonly positions: readonly number[]
  /** Whether letter case matters. */
  readonly isExact?: true
}

/** Whether a name asks how many items the list before it has. */
export function isCount(name: string | undefined): boolean {
  return name?.toLowerCase() === '$count'
}

export interface Call {
  readonly kind: 'call'
  /** The name in lower case. */
  readonly name: string
  readonly args: readonly Operand[]
  readonly position: number
}

export type Operand = Literal | PropertyPath | Call

export const COMPARISONS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof COMPARISONS)[number]

export type Expression =
  /** Consecutive terms are one node, so that a long chain is not a deep tree. */
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
  /** A boolean operand without a comparison. */
  | { readonly kind: 'test'; readonly operand: Operand; readonly position: number }
  /** Whether any or all items of a list meet a condition; paths to their properties begin with the variable. */
  | {
      readonly kind: 'any' | 'all'
      readonly list: PropertyPath
      readonly variable: string
      readonly body: Expression | undefined
      readonly position: number
    }

/** `*`, or a property with its selected inner properties and description. */
export interface SelectItem {
  readonly name: string
  readonly position: number
  /** The inner properties in parentheses or after a slash; undefined for all of them. */
  readonly inside: readonly SelectItem[] | undefined
  /** `T` selects only the description, `C;T` the code and the description. */
  readonly description: 'T' | 'C;T' | undefined
}

/** A property by which records are grouped. */
export interface GroupItem {
  readonly path: PropertyPath
  readonly description: SelectItem['description']
}

/** What is computed of each group. */
export interface AggregateItem {
  /** The name of the function, as it was written. */
  readonly name: string
  readonly position: number
  readonly path: PropertyPath | undefined
  /** The name of the result. */
  readonly alias: { readonly name: string; readonly position: number } | undefined
}

export interface OrderItem {
  readonly path: PropertyPath
  readonly isDescending: boolean
}
