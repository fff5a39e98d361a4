// Schemas of records. The static type, the reader of bodies, patch paths and the API description are derived from them.
// A schema describes the complete record as in responses; in requests, any member may be absent. Options such as
// description, examples, minimum or maxLength are copied to the API description; resources check them with their own
// messages. Only `default` has an effect: the value that an absent value reads as, if it is not that of the type.

import Type, {
  type Static,
  type TArray,
  type TArrayOptions,
  type TBoolean,
  type TInteger,
  type TNumber,
  type TNumberOptions,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TString,
  type TStringOptions,
  type TUnion,
} from 'typebox'
import type { LongNumber } from '../base/long-number.ts'
import { memo } from '../base/memo.ts'
import { DECIMAL_DIGITS, type Exact } from '../base/numbers/decimal.ts'

/** The schema of a record; its type is `Static<typeof schema>`. */
export type RecordSchema<Members extends TProperties = TProperties> = TObject<Members>

/** A value in a request: any member may be absent, at any depth. */
type Given<Value> = Value extends LongNumber
  ? Value
  : Value extends readonly (infer Item)[]
    ? Given<Item>[]
    : Value extends object
      ? { [Name in keyof Value]?: Given<Value[Name]> }
      : Value

/** A record of this schema in a request. */
export type GivenOf<Schema extends TSchema> = Given<Static<Schema>>

export function text(notes?: TStringOptions): TString {
  return Type.String(notes)
}

/** A number of at most 15 significant digits. */
export function number(notes?: TNumberOptions): TNumber {
  return Type.Number(notes)
}

/** A decimal with `scale` decimal places, which is never rounded. */
export function decimal(scale: number, notes?: TNumberOptions) {
  return Type.Unsafe<Exact>({ ...decimalSchema(scale), ...notes, [SCALE]: scale })
}

/** A symbol, so that it is not serialized: the API description has the scale as text. */
const SCALE = Symbol('scale')

export function scaleOf(schema: TSchema): number {
  return (schema as { [SCALE]?: number })[SCALE] ?? 0
}

/** The schema in the API description; code generators map it to a number or a decimal type. */
export function decimalSchema(scale: number) {
  const bound = 10 ** (DECIMAL_DIGITS - scale)
  return {
    type: 'number',
    format: 'decimal',
    // The bounds are inclusive, because clients may round a value just below a bound to the bound.
    minimum: -bound,
    maximum: bound,
    description: `Exact, with at most ${scale} digits behind the point.`,
  }
}

export function integer(notes?: TNumberOptions): TInteger {
  return Type.Integer(notes)
}

export function bool(notes?: TSchemaOptions): TBoolean {
  return Type.Boolean(notes)
}

/** A date-time, stored as `base/dates.ts` parses it: text in UTC with milliseconds. Most responses omit the zone. */
export function dateTime(notes?: TStringOptions): TString {
  return Type.String({ ...notes, format: 'date-time', pattern: RESPONSE_DATE_TIME })
}

const RESPONSE_DATE_TIME = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z?$'

/** A string or a number, stored as it was sent. */
export function textOrNumber(notes?: TSchemaOptions): TUnion<[TString, TNumber]> {
  return Type.Union([Type.String(), Type.Number()], notes)
}

export function list<Item extends TSchema>(item: Item, notes?: TArrayOptions): TArray<Item> {
  return Type.Array(item, notes)
}

/** An object with its members in documented spelling and order. */
export function record<Members extends TProperties>(members: Members, notes?: TObjectOptions): RecordSchema<Members> {
  return Type.Object(members, notes)
}

/** The kind of a schema, which readers switch on and error messages name. */
export type Kind =
  | 'string'
  | 'number'
  | 'decimal'
  | 'integer'
  | 'boolean'
  | 'date-time'
  | 'string or number'
  | 'array'
  | 'object'

export const kindOf = memo(readKind)

function readKind(schema: TSchema): Kind {
  if (SCALE in schema) return 'decimal'
  if (Type.IsObject(schema)) return 'object'
  if (Type.IsArray(schema)) return 'array'
  if (Type.IsUnion(schema)) return 'string or number'
  if (Type.IsInteger(schema)) return 'integer'
  if (Type.IsNumber(schema)) return 'number'
  if (Type.IsBoolean(schema)) return 'boolean'
  if (Type.IsString(schema)) return (schema as { format?: string }).format === 'date-time' ? 'date-time' : 'string'
  throw new Error(`The schema has no kind that records support: ${JSON.stringify(schema)}`)
}

/**
 * Decimal places of every amount in built-in documents: no currency of ISO 4217 has more than four, and the remaining
 * 14 integer digits allow for amounts up to hundred trillions.
 */
export const AMOUNT_SCALE = 4
