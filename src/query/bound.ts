// A query bound to one document: every name is a property, and every value has the type of the operand it is compared
// with.
import type { AssociationProperty, ListProperty, ValueProperty } from '../model/document.ts'
import type { SearchedWord } from '../model/words.ts'
import type { BoundType, BoundValue } from './bound-value.ts'
import type { Comparison } from './parse/tree.ts'

/** The row that a path ends in: of the document, or of an item of a list, and from there through associations. */
export interface Place {
  /**
   * Index of the list whose item the path starts in, counted from the outermost list; undefined for the document
   * itself.
   */
  readonly item: number | undefined
  readonly via: readonly AssociationProperty[]
}

export interface BoundProperty {
  readonly kind: 'property'
  readonly type: BoundType
  readonly property: ValueProperty
  readonly place: Place
}

export type BoundOperand =
  | BoundProperty
  | BoundValue
  | {
      readonly kind: 'call'
      readonly type: BoundType
      readonly name: FunctionName
      readonly args: readonly BoundOperand[]
    }

export type FunctionName =
  | 'contains'
  | 'startswith'
  | 'endswith'
  | 'length'
  | 'tolower'
  | 'toupper'
  | 'trim'
  | 'date'
  | 'year'
  | 'month'
  | 'day'

export type BoundExpression =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly BoundExpression[] }
  | { readonly kind: 'not'; readonly term: BoundExpression }
  | { readonly kind: 'compare'; readonly op: Comparison; readonly left: BoundOperand; readonly right: BoundOperand }
  | { readonly kind: 'in'; readonly operand: BoundOperand; readonly values: readonly BoundValue[] }
  | { readonly kind: 'test'; readonly operand: BoundOperand }
  | {
      readonly kind: 'any' | 'all'
      readonly list: ListProperty
      readonly place: Place
      /** Index of this list, counted from the outermost list. */
      readonly item: number
      readonly body: BoundExpression | undefined
    }
  /** Whether the texts of a document of the archive have these words. */
  | { readonly kind: 'words'; readonly words: readonly SearchedWord[] }
