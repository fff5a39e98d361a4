// The type of a row, from the properties of a document and what is selected of them.

import type { NearestHint } from './nearest-name.ts'
import type { Everything, Item, SyntaxFault } from './parse-select.ts'

/** The type of an answer whose select is wrong: no value has it, and its message says why. */
export interface SelectError<Message extends string> {
  readonly error: Message
}

/** The row of a document, or a `SelectError` with the first thing that is wrong. */
export type RowOf<Name extends string, Properties, Items> = [Items] extends [SyntaxFault<infer Fault>]
  ? SelectError<Fault>
  : [Mistakes<Name, Properties, Items>] extends [never]
    ? Answer<Properties, Items>
    : SelectError<Mistakes<Name, Properties, Items>>

type NameIn<Items> = Items extends Item<infer Name> ? Name : never
type Named<Items, Name> = Items extends Item<infer One, string, unknown> ? (One extends Name ? Items : never) : never

/** Properties that `*` and an absent select stand for. */
type DefaultNames<Properties> = {
  [Name in keyof Properties]: Properties[Name] extends { readonly kind: 'value' | 'coded' | 'group' | 'complex' }
    ? Name
    : never
}[keyof Properties]

/** The items of a property, with that of `*`. */
type ItemsOf<Properties, Name, Items> =
  | Named<Items, Name>
  | (Name extends DefaultNames<Properties> ? ('*' extends NameIn<Items> ? Everything : never) : never)

type AllNames<Properties, Items> =
  | Extract<keyof Properties, NameIn<Items>>
  | ('*' extends NameIn<Items> ? DefaultNames<Properties> : never)

type FormOf<Items> = Items extends Item<string, infer Form> ? Form : never
type HasCode<Items> = Extract<FormOf<Items>, 'C' | 'CT'> extends never ? false : true
type HasText<Items> = Extract<FormOf<Items>, 'T' | 'CT'> extends never ? false : true
type InsideOf<Items> =
  Items extends Item<'*'> ? Everything : Items extends Item<string, string, infer Inside> ? Inside : never

type Simplify<Type> = { [Name in keyof Type]: Type[Name] } & {}

type Answer<Properties, Items> = Simplify<
  {
    [Name in AllNames<Properties, Items> as HasCode<ItemsOf<Properties, Name, Items>> extends true
      ? Name
      : never]: Member<Properties[Name & keyof Properties], ItemsOf<Properties, Name, Items>>
  } & {
    [Name in AllNames<Properties, Items> as HasText<ItemsOf<Properties, Name, Items>> extends true
      ? `${Name & string}(description)`
      : never]: string
  }
>

type Member<Property, Items> = Property extends { readonly type: infer Type }
  ? Type
  : Property extends { readonly kind: infer Kind; readonly properties: infer Inner }
    ? Kind extends 'list'
      ? Answer<Inner, InsideOf<Items>>[]
      : Answer<Inner, Kind extends 'complex' ? InsideOf<Items> | Everything : InsideOf<Items>>
    : never

/** What is wrong with the items, one message for each. */
type Mistakes<Where extends string, Properties, Items> =
  Items extends Item<infer Name, infer Form, infer Inside>
    ? Name extends '*'
      ? never
      : Name extends keyof Properties
        ? MistakesIn<Where, Name, Properties[Name], Form, Inside>
        : `no property '${Name}' on ${Where}${NearestHint<Name, keyof Properties & string>}`
    : never

type MistakesIn<Where extends string, Name extends string, Property, Form, Inside> = Property extends {
  readonly properties: infer Inner
}
  ? Form extends 'C'
    ? Mistakes<`${Where}/${Name}`, Inner, Inside>
    : `'${Name}' on ${Where} has no description`
  : [Inside] extends [Everything]
    ? Form extends 'C'
      ? never
      : Property extends { readonly kind: 'coded' }
        ? never
        : `'${Name}' on ${Where} has no description`
    : `'${Name}' on ${Where} has no properties inside it`
