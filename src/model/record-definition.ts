// Definitions of records: each field is written once. The schema of bodies and responses, the Enterprise Document, the
// columns with their statements, the paths of patches, the text lengths and the TypeScript types follow from it.
// Members are answered in the order of the fields.
import Type, { type Static, type TObject, type TSchema, type TSchemaOptions } from 'typebox'
import type { Exact } from '../base/numbers/decimal.ts'
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
import * as schemas from './schema.ts'

/** `*`: the column is the name in snake case. `''`: the record's table has no column for it. Else the column. */
type OwnColumn = string

export interface Field<Schema = TSchema | undefined, Own extends OwnColumn = OwnColumn> {
  /** The member of single records; undefined for what only queries return. */
  readonly schema: Schema
  readonly column: Own
  /** The property of the Enterprise Document; undefined if it has none. `at` is the path to it in a JSON item. */
  readonly property: ((column: string, at: readonly string[] | undefined) => Property) | undefined
  /** The fields of a group. */
  readonly fields?: Fields
  /** A joined column, or another reading of one: answered, never written. */
  readonly source?: Column
  /** Maximum length in characters, which a setup may lower. */
  readonly max?: number
  /** The fields of the items of a list. */
  readonly itemFields?: Fields
  /** The table whose rows are the items of a list. */
  readonly itemTable?: ItemTable
  /** The names that stand for stored codes in single records; the first is that of an absent value. */
  readonly names?: Readonly<Record<string, string>>
  /** A second column, with the JSON of the value as it was sent. */
  readonly jsonColumn?: string
  /** Whether the column has JSON text. */
  readonly isJson?: boolean
  /** Whether a date-time is answered with its zone. */
  readonly hasZone?: boolean
  /** Whether the setup of a company may name the legal codes. */
  readonly isCoded?: boolean
  /** Whether a new record needs it. */
  readonly isRequired?: boolean
  /** What a patch may change of it, or is refused with a message. */
  readonly patch: readonly PatchPath[]
}

export type Fields = Readonly<Record<string, Field>>

export interface PatchPath {
  // `*` matches one name or index, as in `/contactPoints/*`; `-` matches the position after the last item; a final `**`
  // matches everything below a path at any depth, but not the path itself.
  /** Below the field; empty for the field itself. */
  readonly path: string
  /** The allowed operations; all three by default. */
  readonly ops?: readonly PatchOp[]
  /** If set, the path is refused with this message. */
  readonly refusal?: { readonly code: 3010; readonly message: string }
}

export type PatchOp = 'replace' | 'add' | 'remove'

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
  /** Whether the Enterprise Document lacks it. */
  readonly isSingleOnly?: boolean
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
}

const ANY_OPERATION: readonly PatchPath[] = [{ path: '' }]

function field<Schema extends TSchema, Own extends string, Source extends Column | undefined>(
  schema: Schema,
  { type, storedAs, maxLength, scale }: Storage,
  options: Options<Own, Source>,
): Field<Schema, OwnOf<Own, Source>> {
  const { source, column = '*', isFixed, isRequired, isCoded, isSingleOnly, inQueries, aliases } = options
  const codes = isCoded ? NAMED_BY_SETUP : options.codes
  const property = (name: string, at: readonly string[] | undefined) =>
    value(type, source ?? (at ? { path: at } : storedAs ? { column: name, storedAs } : name), {
      ...(maxLength === undefined ? {} : { maxLength }),
      ...(scale === undefined ? {} : { scale }),
      ...(codes ? { codes } : {}),
      ...(inQueries === undefined ? {} : { description: inQueries }),
      ...(aliases ? { aliases } : {}),
    })
  return {
    schema,
    column: (source ? '' : column) as OwnOf<Own, Source>,
    property: isSingleOnly ? undefined : property,
    patch: isFixed || source ? [] : (options.patch ?? ANY_OPERATION),
    ...(source ? { source } : {}),
    ...(isRequired ? { isRequired } : {}),
    ...(isCoded ? { isCoded } : {}),
  }
}

/** The options that the API description shows. */
function shown({ description, examples, default: absent }: Options): TSchemaOptions {
  return {
    ...(description === undefined ? {} : { description }),
    ...(examples ? { examples: [...examples] } : {}),
    ...(absent === undefined ? {} : { default: absent }),
  }
}

export function text<Own extends string = string, Source extends Column | undefined = undefined>(
  options: TextOptions<Own, Source> = {},
) {
  const { max, most = max, length = most, names, format } = options
  const schema = schemas.text({
    ...(format === undefined ? {} : { format }),
    ...(most === undefined ? {} : { maxLength: most }),
    ...shown(options),
  })
  const made = field(schema, { type: 'string', maxLength: length }, options)
  return { ...made, ...(names ? { names } : {}), ...(max === undefined ? {} : { max }) }
}

export function integer<Own extends string = string, Source extends Column | undefined = undefined>(
  options: Omit<Options<Own, Source>, 'default'> & { readonly default?: number } = {},
) {
  const { default: absent, ...rest } = options
  const schema = schemas.integer({ ...shown(rest), ...(absent === undefined ? {} : { default: absent }) })
  return field(schema, { type: 'integer' }, rest as Options<Own, Source>)
}

export function number(options: Options & { readonly minimum?: number; readonly maximum?: number } = {}) {
  const { minimum, maximum } = options
  const bounds = minimum === undefined || maximum === undefined ? {} : { minimum, maximum }
  return field<ReturnType<typeof schemas.number>, string, undefined>(
    schemas.number({ ...bounds, ...shown(options) }),
    { type: 'number' },
    options as Options<string, undefined>,
  )
}

export function decimal(scale: number) {
  return field<ReturnType<typeof schemas.decimal>, string, undefined>(
    schemas.decimal(scale),
    { type: 'decimal', scale },
    {},
  )
}

/** A boolean, stored as 0 or 1. */
export function flag() {
  return field<ReturnType<typeof schemas.bool>, string, undefined>(
    schemas.bool(),
    { type: 'boolean', storedAs: 'flag' },
    {},
  )
}

export function dateTime(options: Options & { readonly hasZone?: boolean } = {}) {
  const { hasZone = false } = options
  const made = field<ReturnType<typeof schemas.dateTime>, string, undefined>(
    schemas.dateTime(shown(options)),
    { type: 'date-time' },
    options as Options<string, undefined>,
  )
  return { ...made, hasZone }
}

/** A text or a number. Its column has the text, `jsonColumn` the JSON as it was sent. */
export function textOrNumber<Json extends string>(
  options: Options & { readonly max: number; readonly jsonColumn: Json },
) {
  const { max, jsonColumn } = options
  const schema = schemas.textOrNumber({ maxLength: max, ...shown(options) })
  const storage = { type: 'string', maxLength: max } as const
  const made = field<typeof schema, string, undefined>(schema, storage, options as Options<string, undefined>)
  return { ...made, max, jsonColumn: jsonColumn as NoInfer<Json> }
}

/** An object of fields, whose columns are those of the record. */
export function group<Inside extends Fields>(
  fields: Inside,
  options: Pick<Options, 'description' | 'aliases' | 'isFixed'> & { readonly isComplex?: boolean } = {},
): Omit<Field<TObject<MembersOf<Inside>>, ''>, 'fields'> & { readonly fields: Inside } {
  const { description, aliases, isComplex, isFixed } = options
  return {
    schema: objectOf(fields, description === undefined ? {} : { description }),
    column: '',
    property: (_column, at) =>
      groupProperty(propertiesOf(fields, at), { ...(isComplex ? { isComplex } : {}), ...(aliases ? { aliases } : {}) }),
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
  return { schema, column: '' as const, property: undefined, patch, ...(isRequired ? { isRequired } : {}) }
}

/** A property that only queries return. */
export function queriesOnly(property: Property) {
  return { schema: undefined, column: '' as const, property: () => property, patch: [] } satisfies Field
}

/** The schemas of the members of single records. */
export type MembersOf<Own extends Fields> = {
  [Name in keyof Own as Own[Name]['schema'] extends TSchema ? Name : never]: Extract<Own[Name]['schema'], TSchema>
}

const required = new WeakMap<TSchema, readonly string[]>()

/** The schema of an object with these fields. */
export function objectOf<Own extends Fields>(fields: Own, options: TSchemaOptions = {}): TObject<MembersOf<Own>> {
  const members = Object.entries(fields).flatMap(([name, { schema }]) => (schema ? [[name, schema] as const] : []))
  const needed = Object.keys(fields).filter((name) => fields[name]?.isRequired)
  const schema = Type.Object(Object.fromEntries(members), options) as unknown as TObject<MembersOf<Own>>
  return requiring(needed, schema)
}

/** The schema, with the members that a new record needs. */
export function requiring<Schema extends TSchema>(names: readonly string[], schema: Schema): Schema {
  required.set(schema, names)
  return schema
}

/** The members that a new record needs; schemas describe responses, in which every member is present. */
export function requiredMembers(schema: TSchema): readonly string[] {
  return required.get(schema) ?? []
}

/** The properties of the Enterprise Document; those of a JSON item with the path `at` to it. */
export function propertiesOf<Own extends Fields>(
  fields: Own,
  at?: readonly string[],
): { readonly [Name in keyof Own]: Property } {
  const properties = Object.entries(fields).flatMap(([name, one]) => {
    const property = one.property?.(columnOf(name, one), at && [...at, name])
    return property ? [[name, property]] : []
  })
  return Object.fromEntries(properties)
}

/** The column of a field by its name; empty if the record's table has none for it. */
export function columnOf(name: string, { column }: Field): string {
  return column === '*' ? snakeCase(name) : column
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Every field with its path, those of groups too. */
export function* walkFields(fields: Fields, above: readonly string[] = []): Generator<[readonly string[], Field]> {
  for (const [name, one] of Object.entries(fields)) {
    const path = [...above, name]
    yield [path, one]
    if (one.fields) yield* walkFields(one.fields, path)
  }
}

/** The fields before and after one of them. */
export function fieldsAround(fields: Fields, name: string): readonly [before: Fields, after: Fields] {
  const all = Object.entries(fields)
  const at = all.findIndex(([other]) => other === name)
  return [Object.fromEntries(all.slice(0, at)), Object.fromEntries(all.slice(at + 1))]
}

/** The maximum lengths of texts that a setup may lower, by name at any depth, those of items too. */
export function textLengthsOf(fields: Fields): Readonly<Record<string, number>> {
  const lengths: Record<string, number> = {}
  for (const [path, { max, itemFields }] of walkFields(fields)) {
    if (max !== undefined) lengths[path.at(-1) ?? ''] = max
    if (itemFields) Object.assign(lengths, textLengthsOf(itemFields))
  }
  return lengths
}

type Snake<Name extends string, Out extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? Snake<Rest, `${Out}${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}`>
  : Out

type ColumnValue<Schema> =
  Static<Extract<Schema, TSchema>> extends infer Value
    ? Value extends boolean
      ? number
      : Value extends Exact
        ? Value extends number
          ? number
          : number | string
        : string
    : never

type GroupNames<Own extends Fields> = {
  [Name in keyof Own]: Own[Name] extends { readonly fields: Fields } ? Name : never
}[keyof Own]

/** The columns of a record's table for its fields. */
export type ColumnsOf<Own extends Fields> = {
  [Name in keyof Own & string as Own[Name]['column'] extends '*'
    ? Snake<Name>
    : Own[Name]['column'] extends ''
      ? never
      : Own[Name]['column']]: ColumnValue<Own[Name]['schema']>
} & {
  [Name in keyof Own as Own[Name] extends { readonly jsonColumn: infer Json extends string } ? Json : never]: string
} & (GroupNames<Own> extends infer Name extends keyof Own
    ? [Name] extends [never]
      ? unknown
      : Merged<
          Name extends keyof Own
            ? Own[Name] extends { readonly fields: infer Inside extends Fields }
              ? ColumnsOf<Inside>
              : never
            : never
        >
    : unknown)

type Merged<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** A record: its fields, and what the Enterprise Document has besides its properties. */
export interface RecordDefinition<Own extends Fields = Fields> extends Omit<DocumentDefinition, 'properties'> {
  /** The name of the schema in the API description. */
  readonly title: string
  readonly fields: Own
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
