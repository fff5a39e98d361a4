// What several sections of a setup file have.
import Type, { type Static, type TProperties } from 'typebox'

/** An object without other keys: a misspelled key is an error and not ignored. */
export const section = <Members extends TProperties>(members: Members, description?: string) =>
  Type.Object(members, { additionalProperties: false, ...(description ? { description } : {}) })

export const optional = Type.Optional
export const Id = Type.String({ minLength: 1, maxLength: 25, description: 'An identifier; matched exactly.' })
export const Name = Type.String({ minLength: 1, maxLength: 100 })

export const Numbering = section(
  {
    series: Id,
    from: Type.Integer({ minimum: 0, maximum: 999_999_999_999 }),
    to: Type.Integer({ minimum: 0, maximum: 999_999_999_999 }),
    prefix: optional(Type.String({ maxLength: 10, description: 'Before the number; default none.' })),
    width: optional(
      Type.Integer({ minimum: 1, maximum: 15, description: 'Digits, filled up with zeros; default none.' }),
    ),
  },
  'Ids are given by the service, from a series.',
)

const Title = Type.String({ minLength: 1, maxLength: 100 })

/** `title: Contract` is for all languages; `title: { EN: Contract, DE: Vertrag }` names them. */
export const Titled = {
  title: optional(
    Type.Union([Title, Type.Record(Type.String(), Title)], {
      description: 'What people call it: one text, or language -> text. Default: its name in words.',
    }),
  ),
  description: optional(Type.String({ minLength: 1, maxLength: 255, description: 'What it means, for people.' })),
}

export interface NamesSetup {
  readonly title?: string | Readonly<Record<string, string>> | undefined
  readonly description?: string | undefined
}

export const LegalValues = section(
  { valueList: optional(Id), attributeId: optional(Id) },
  'A value list or an attribute, one of both, whose codes are the legal values.',
)

export type NumberingSetup = Static<typeof Numbering>
