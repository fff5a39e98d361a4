// Fields of records, and what follows from them: schemas, properties of the Enterprise Document, columns, text lengths.
import Type, { type Static, type TObject, type TSchema, type TSchemaOptions } from 'typebox'
import type { Exact } from '../base/numbers/decimal.ts'
import type { Column, ItemTable, Property } from './document.ts'

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
    if (!property) return []
    return [[name, one.isRequired ? { ...property, isRequired: true } : property]]
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
