// The row of a group: the properties that it is grouped by, and what is computed.
import type { DocumentTypes } from './company.ts'
import type { ParseSelect } from './parse-select.ts'
import type { RowOf, SelectError } from './row.ts'

type Trim<Text extends string> = Text extends ` ${infer Rest}`
  ? Trim<Rest>
  : Text extends `${infer Rest} `
    ? Trim<Rest>
    : Text

type Split<Text extends string> = Text extends `${infer First},${infer Rest}` ? Trim<First> | Split<Rest> : Trim<Text>

/** The value of a property by its path. */
type TypeAt<Properties, Path extends string> = Path extends `${infer Name}/${infer Rest}`
  ? Name extends keyof Properties
    ? Properties[Name] extends { readonly properties: infer Inner }
      ? TypeAt<Inner, Rest>
      : never
    : never
  : Path extends keyof Properties
    ? Properties[Path] extends { readonly type: infer Type }
      ? Type
      : never
    : never

type Last<Path extends string> = Path extends `${string}/${infer Rest}` ? Last<Rest> : Path

/** The name of a result, and its type: `sum(amounts/amount) as total`. */
type Result<Properties, Text extends string> = Text extends `${infer Call} as ${infer Name}`
  ? { readonly name: Trim<Name>; readonly type: TypeOfCall<Properties, Trim<Call>> }
  : Text extends `${infer Function}(${infer Path})`
    ? {
        readonly name: Lowercase<Function> extends 'count' ? 'count' : `${Function}${Capitalize<Last<Trim<Path>>>}`
        readonly type: TypeOfCall<Properties, Text>
      }
    : never

type TypeOfCall<Properties, Call extends string> = Call extends `${infer Function}(${infer Path})`
  ? Lowercase<Function> extends 'min' | 'max'
    ? TypeAt<Properties, Trim<Path>>
    : Lowercase<Function> extends 'count'
      ? number
      : [TypeAt<Properties, Trim<Path>>] extends [never]
        ? never
        : number
  : never

type Results<Properties, Texts extends string> = Texts extends unknown ? Result<Properties, Texts> : never

type Computed<Properties, Aggregate> = Aggregate extends string
  ? {
      [One in Results<Properties, Split<Aggregate>> as One extends { readonly name: infer Name extends string }
        ? Name
        : never]: One extends { readonly type: infer Type } ? Type : never
    }
  : unknown

type Grouped<Document extends DocumentTypes, Group> = Group extends string
  ? RowOf<Document['name'], Document['properties'], ParseSelect<Group>>
  : unknown

type Simplify<Type> = { [Name in keyof Type]: Type[Name] } & {}

export type AggregatedRow<Document extends DocumentTypes, Aggregate, Group> = Simplify<
  Grouped<Document, Group> & Computed<Document['properties'], Aggregate>
>

type Unknown<Properties, Texts extends string> = Texts extends unknown
  ? [TypeOfCall<Properties, Texts extends `${infer Call} as ${string}` ? Trim<Call> : Texts>] extends [never]
    ? Texts
    : never
  : never

type Wrong<Document extends DocumentTypes, Aggregate extends string> = Unknown<Document['properties'], Split<Aggregate>>

/** The text itself, or the error that names what cannot be computed. */
export type LegalAggregate<Document extends DocumentTypes, Aggregate, Group> =
  Grouped<Document, Group> extends SelectError<infer Message>
    ? SelectError<Message>
    : Aggregate extends string
      ? [Wrong<Document, Aggregate>] extends [never]
        ? Aggregate
        : CannotCompute<Wrong<Document, Aggregate>, Document['name']>
      : Aggregate

type CannotCompute<Text extends string, Name extends string> = SelectError<`'${Text}' cannot be computed on ${Name}`>
