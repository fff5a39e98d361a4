// What several sections of a setup file have.
import Type, { type Static, type TProperties, type TSchema, type TUnsafe } from 'typebox'
import type { Titles } from '../../model/document.ts'

const described = (description: string | undefined) => (description === undefined ? {} : { description })

/** An object without other keys: a misspelled key is an error and not ignored. */
export const section = <Members extends TProperties>(members: Members, description?: string) =>
  Type.Object(members, { additionalProperties: false, ...described(description) })

export const optional = Type.Optional

/** A text that is not empty. */
export const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...described(description) })

export const integer = (minimum: number, maximum: number, description?: string) =>
  Type.Integer({ minimum, maximum, ...described(description) })

export const flag = (description: string) => Type.Boolean({ description })

/** `least` to `most` items. */
export const list = <Item extends TSchema>(
  item: Item,
  [least, most]: readonly [number, number],
  description?: string,
) => Type.Array(item, { ...(least > 0 ? { minItems: least } : {}), maxItems: most, ...described(description) })

export const oneOf = <const Name extends string>(names: readonly Name[], description?: string) =>
  Type.Union(
    names.map((name) => Type.Literal(name)),
    described(description),
  ) as TSchema as TUnsafe<Name>

export const Id = text(25, 'An identifier; matched exactly.')
export const Name = text(100)

export const Numbering = section(
  {
    series: Id,
    from: integer(0, 999_999_999_999),
    to: integer(0, 999_999_999_999),
    prefix: optional(Type.String({ maxLength: 10, description: 'Before the number; default none.' })),
    width: optional(integer(1, 15, 'Digits, filled up with zeros; default none.')),
  },
  'Ids are given by the service, from a series.',
)

/** `title: Contract` is for all languages; `title: { EN: Contract, DE: Vertrag }` names them. */
const texts = (maxLength: number, description: string) =>
  optional(Type.Union([text(maxLength), Type.Record(Type.String(), text(maxLength))], { description }))

export const titles = (description: string) => texts(100, description)

export const Titled = {
  title: titles('What people call it: one text, or language -> text. Default: its name in words.'),
  description: texts(255, 'What it means, for people: one text, or language -> text.'),
}

export interface NamesSetup {
  readonly title?: Titles | undefined
  readonly description?: Titles | undefined
}

export const LegalValues = section(
  { valueList: optional(Id), attributeId: optional(Id) },
  'A value list or an attribute, one of both, whose codes are the legal values.',
)

export type NumberingSetup = Static<typeof Numbering>
