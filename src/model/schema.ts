// The shapes of records, each written once: the static type, the reader of bodies, patch paths and the API description
// follow from it. A schema describes the whole record, as answers have it; of what comes in, any member may be absent.
// Notes such as description, examples, minimum or maxLength go into the API description as they stand (resources check
// them in their own words), but for `default`: what an absent value reads as, where that is not its type's own.
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
import { DECIMAL_DIGITS, type Exact } from '../base/decimal.ts'
import type { LongNumber } from '../base/long-number.ts'

/** The schema of a record; its type is `Static<typeof schema>`. */
export type RecordSchema<Members extends TProperties = TProperties> = TObject<Members>

/** What a caller gave of a value: any member may be absent, at any depth. */
export type Given<Value> = Value extends LongNumber
  ? Value
  : Value extends readonly (infer Item)[]
    ? Given<Item>[]
    : Value extends object
      ? { [Name in keyof Value]?: Given<Value[Name]> }
      : Value

/** What a caller gave of a record of this schema. */
export type GivenOf<Schema extends TSchema> = Given<Static<Schema>>

export function text(notes?: TStringOptions): TString {
  return Type.String(notes)
}

/** A number of at most 15 significant digits. */
export function number(notes?: TNumberOptions): TNumber {
  return Type.Number(notes)
}

/** A decimal with so many digits behind the point: nothing of it is rounded. */
export function decimal(scale: number, notes?: TNumberOptions) {
  return Type.Unsafe<Exact>({ ...decimalSchema(scale), ...notes, [SCALE]: scale })
}

/** Is not printed: the description of the interface says it in words. */
const SCALE = Symbol('scale')

export function scaleOf(schema: TSchema): number {
  return (schema as { [SCALE]?: number })[SCALE] ?? 0
}

/** As the description of the interface has it; generators make a number of it, or the decimal of their language. */
export function decimalSchema(scale: number) {
  const bound = 10 ** (DECIMAL_DIGITS - scale)
  return {
    type: 'number',
    format: 'decimal',
    // Of those just below, a reader may make the bound itself.
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

/** Kept as `base/dates.ts` reads it: text in UTC with milliseconds. Most records answer it without the zone. */
export function dateTime(notes?: TStringOptions): TString {
  return Type.String({ ...notes, format: 'date-time', pattern: ANSWERED_DATE_TIME })
}

const ANSWERED_DATE_TIME = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z?$'

/** A string or a number, kept as it was sent. */
export function textOrNumber(notes?: TSchemaOptions): TUnion<[TString, TNumber]> {
  return Type.Union([Type.String(), Type.Number()], notes)
}

export function list<Item extends TSchema>(item: Item, notes?: TArrayOptions): TArray<Item> {
  return Type.Array(item, notes)
}

/** Members in documented spelling and order. */
export function record<Members extends TProperties>(members: Members, notes?: TObjectOptions): RecordSchema<Members> {
  return Type.Object(members, notes)
}

/** What a schema asks for; readers decide by it, and refusals are worded with it. */
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

export function kindOf(schema: TSchema): Kind {
  let kind = kinds.get(schema)
  if (!kind) {
    kind = readKind(schema)
    kinds.set(schema, kind)
  }
  return kind
}

const kinds = new WeakMap<TSchema, Kind>()

function readKind(schema: TSchema): Kind {
  if (SCALE in schema) return 'decimal'
  if (Type.IsObject(schema)) return 'object'
  if (Type.IsArray(schema)) return 'array'
  if (Type.IsUnion(schema)) return 'string or number'
  if (Type.IsInteger(schema)) return 'integer'
  if (Type.IsNumber(schema)) return 'number'
  if (Type.IsBoolean(schema)) return 'boolean'
  if (Type.IsString(schema)) return (schema as { format?: string }).format === 'date-time' ? 'date-time' : 'string'
  throw new Error(`No kind of schema that records are made of: ${JSON.stringify(schema)}`)
}
