// What a query means for one document: every name is a property, every value has the type of what it is compared with.
import type { ValueProperty, ValueType } from '../model/document.ts'
import type { Comparison } from './parse/tree.ts'

/** `date` is a day: what the function of that name gives. */
export type BoundType = ValueType | 'date'

export type BoundOperand =
  | { readonly kind: 'property'; readonly type: BoundType; readonly property: ValueProperty }
  | { readonly kind: 'value'; readonly type: BoundType; readonly value: string | number | boolean }
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
  | { readonly kind: 'in'; readonly operand: BoundOperand; readonly values: readonly BoundOperand[] }
  | { readonly kind: 'test'; readonly operand: BoundOperand }
