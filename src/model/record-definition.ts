// Definitions of records: each field is written once. The schema of bodies and responses, the Enterprise Document, the
// columns with their statements, the paths of patches, the text lengths and the TypeScript types follow from it.
// Members are answered in the order of the fields.

import type { TObject, TSchema, TSchemaOptions } from 'typebox'
import { defined } from '../base/defined.ts'
import {
  type Codes,
  type Column,
  type DocumentDefinition,
  group as groupProperty,
  type ItemTable,
  list as listProperty,
  type Property,
  type StoredAs,
  type ValueType,
  value,
} from './document.ts'
import { type Field, type Fields, type MembersOf, objectOf, type PatchPath, propertiesOf } from './record-fields.ts'
import * as schemas from './schema.ts'

/** Stands for the codes of a field that each company's setup names. */
export const NAMED_BY_SETUP: Codes = { attributeId: '' }

interface Options<Own extends string = string, Source extends Column | undefined = Column | undefined> {
  readonly description?: string
  readonly examples?: readonly string[]
  readonly default?: string
  /** The column if it is not the name in snake case. */
  readonly column?: Own
  /** A joined column, or another reading of one: answered, never written. */
  readonly source?: Source
  readonly isRequired?: boolean
  /** A patch cannot change it. */
  readonly isFixed?: boolean
  readonly patch?: readonly PatchPath[]
  readonly codes?: Codes
  readonly isCoded?: boolean
  /** Its description in the Enterprise Document. */
  readonly inQueries?: string
  readonly aliases?: readonly string[]
}

interface TextOptions<Own extends string, Source extends Column | undefined> extends Options<Own, Source> {
  /** Maximum length in characters, which a setup may lower. */
  readonly max?: number
  /** Maximum length of a text that no setup can lower. */
  readonly most?: number
  /** Maximum length in the Enterprise Document of a text that is limited otherwise, such as a code. */
  readonly length?: number
  readonly names?: Readonly<Record<string, string>>
  readonly format?: string
}

type OwnOf<Own extends string, Source> = Source extends Column ? '' : string extends Own ? '*' : NoInfer<Own>

interface Storage {
  readonly type: ValueType
  readonly storedAs?: StoredAs
  readonly maxLength?: number | undefined
  readonly scale?: number
  /** What `null` means in queries, if it is not what it means for all values of the type. */
  readonly absent?: string | number | undefined
}

const ANY_OPERATION: readonly PatchPath[] = [{ path: '' }]

/** A field with a value of any schema; the helpers below are for the usual ones. */
export function field<Schema extends TSchema, Own extends string, Source extends Column | undefined>(
  schema: Schema,
  { type, storedAs, maxLength, scale, absent }: Storage,
  options: Options<Own, Source>,
): Field<Schema, OwnOf<Own, Source>> {
  const { source, column = '*', isFixed, isRequired, isCoded, inQueries, aliases } = options
  const codes = isCoded ? NAMED_BY_SETUP : options.codes
  const { default: given } = schema as { readonly default?: unknown }
  const initial = typeof given === 'string' || typeof given === 'number' ? given : undefined
  const property = (name: string, at: readonly string[] | undefined) =>
    value(
      type,
      source ?? (at ? { path: at } : storedAs ? { column: name, storedAs } : name),
      defined({ maxLength, scale, codes, absent, default: initial, description: inQueries, aliases }),
    )
  return {
    schema,
    column: (source ? '' : column) as OwnOf<Own, Source>,
    property,
    patch: isFixed || source ? [] : (options.patch ?? ANY_OPERATION),
    ...defined({ source, isRequired, isCoded }),
  }
}

/** The options that the API description shows. */
function shown({ description, examples, default: absent }: Options): TSchemaOptions {
  return defined({ description, examples: examples && [...examples], default: absent })
}

export function text<Own extends string = string, Source extends Column | undefined = undefined>(
  options: TextOptions<Own, Source> = {},
) {
  const { max, most = max, length = most, names, format } = options
  const schema = schemas.text({ ...defined({ format, maxLength: most }), ...shown(options) })
  const made = field(schema, { type: 'string', maxLength: length }, options)
  return { ...made, ...defined({ names, max }) }
}

export function integer<Own extends string = string, Source extends Column | undefined = undefined>(
  options: Omit<Options<Own, Source>, 'default'> & { readonly default?: number } = {},
) {
  const { default: absent, ...rest } = options
  const schema = schemas.integer({ ...shown(rest), ...defined({ default: absent }) })
  return field(schema, { type: 'integer', absent }, rest as Options<Own, Source>)
}

/** A field with a column of its own. */
function ownField<Schema extends TSchema>(schema: Schema, storage: Storage, options: Options = {}) {
  return field<Schema, string, undefined>(schema, storage, options as Options<string, undefined>)
}

export function number(options: Options & { readonly minimum?: number; readonly maximum?: number } = {}) {
  const { minimum, maximum } = options
  const bounds = minimum === undefined || maximum === undefined ? {} : { minimum, maximum }
  return ownField(schemas.number({ ...bounds, ...shown(options) }), { type: 'number' }, options)
}

export function decimal(scale: number) {
  return ownField(schemas.decimal(scale), { type: 'decimal', scale })
}

/** A boolean, stored as 0 or 1. */
export function flag() {
  return ownField(schemas.bool(), { type: 'boolean', storedAs: 'flag' })
}

export function dateTime(options: Options & { readonly hasZone?: boolean } = {}) {
  const { hasZone = false } = options
  return {
    ...ownField(schemas.dateTime(shown(options)), { type: 'date-time', absent: options.default }, options),
    hasZone,
  }
}

/** A text or a number. Its column has the text, `jsonColumn` the JSON as it was sent. */
export function textOrNumber<Json extends string>(
  options: Options & { readonly max: number; readonly jsonColumn: Json },
) {
  const { max, jsonColumn } = options
  const schema = schemas.textOrNumber({ maxLength: max, ...shown(options) })
  const made = ownField(schema, { type: 'string', maxLength: max }, options)
  return { ...made, max, jsonColumn: jsonColumn as NoInfer<Json> }
}

/** An object of fields, whose columns are those of the record. */
export function group<Inside extends Fields>(
  fields: Inside,
  options: Pick<Options, 'description' | 'aliases' | 'isFixed'> & { readonly isComplex?: boolean } = {},
): Omit<Field<TObject<MembersOf<Inside>>, ''>, 'fields'> & { readonly fields: Inside } {
  const { description, aliases, isComplex, isFixed } = options
  return {
    schema: objectOf(fields, defined({ description })),
    column: '',
    property: (_column, at) => groupProperty(propertiesOf(fields, at), defined({ isComplex, aliases })),
    fields,
    patch: isFixed ? [] : [{ path: '' }, { path: '/*' }],
  }
}

interface Items<Item extends TObject> {
  readonly schema: Item
  readonly fields: Fields
}

/** A list in a column with a JSON array. */
export function jsonList<Item extends TObject>(
  { schema, fields }: Items<Item>,
  options: Options & Pick<Field, 'patch'>,
) {
  return {
    schema: schemas.list(schema, shown(options)),
    column: '*' as const,
    property: (column: string) => listProperty(propertiesOf(fields, []), { json: column }),
    isJson: true,
    patch: options.patch,
    itemFields: fields,
  } satisfies Field
}

/** A list whose items are rows of another table. */
export function itemList<Item extends TObject>(
  { schema, fields }: Items<Item>,
  from: ItemTable,
  options: Options & Pick<Field, 'patch'>,
) {
  return {
    schema: schemas.list(schema, shown(options)),
    column: '' as const,
    property: () => listProperty(propertiesOf(fields), from, options.inQueries),
    itemTable: from,
    itemFields: fields,
    patch: options.patch,
  } satisfies Field
}

/** A member of single records that the code around the store fills in. */
export function member<Schema extends TSchema>(
  schema: Schema,
  options: { readonly isRequired?: boolean; readonly patch?: readonly PatchPath[] } = {},
) {
  const { isRequired, patch = [] } = options
  return { schema, column: '' as const, property: undefined, patch, ...defined({ isRequired }) }
}

/** A property that only queries return. */
export function queriesOnly(property: Property) {
  return { schema: undefined, column: '' as const, property: () => property, patch: [] } satisfies Field
}

/** A record: its fields, and what the Enterprise Document has besides its properties. */
interface RecordDefinition<Own extends Fields = Fields> extends Omit<DocumentDefinition, 'properties'> {
  /** The name of the schema in the API description. */
  readonly title: string
  readonly fields: Own
}

/** A resource of the service, each of whose records is a row of one table. */
export interface BuiltInRecord {
  readonly record: ReturnType<typeof defineRecord<Fields>>
  /** One record, in messages and in the change log. */
  readonly noun: string
  /** What DELETE sets where the record stays: a name of a code. */
  readonly state: { readonly path: readonly string[]; readonly closed: string } | undefined
}

/** Derives the schema and the Enterprise Document of a record. */
export function defineRecord<Own extends Fields>(definition: RecordDefinition<Own>) {
  const { title, fields, ...document } = definition
  return {
    fields,
    schema: objectOf(fields, { title }),
    document: { ...document, properties: propertiesOf(fields) },
  }
}
