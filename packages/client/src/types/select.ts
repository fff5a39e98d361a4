// What a program may select, as text or as an object, and the row that it gets.
import type { DocumentTypes } from './company.ts'
import type { Everything, Item, ParseSelect } from './parse-select.ts'
import type { RowOf, SelectError } from './row.ts'

/** `{ customerId: true, countryCode: 'C;T', invoice: { creditLimit: true } }` */
export type SelectObject<Properties> = {
  readonly [Name in keyof Properties]?: Properties[Name] extends { readonly properties: infer Inner }
    ? true | SelectObject<Inner>
    : Properties[Name] extends { readonly kind: 'coded' }
      ? true | 'T' | 'C;T'
      : true
}

type ItemsOfObject<Select> = {
  [Name in keyof Select & string]: Select[Name] extends true
    ? Item<Name, 'C', Everything>
    : Select[Name] extends 'T'
      ? Item<Name, 'T', Everything>
      : Select[Name] extends 'C;T'
        ? Item<Name, 'CT', Everything>
        : Item<Name, 'C', ItemsOfObject<Select[Name]>>
}[keyof Select & string]

type ItemsOf<Select> = Select extends string ? ParseSelect<Select> : ItemsOfObject<Select>

/** The row of a query: of a text that is known only at run time, its members are unknown. */
export type SelectedRow<Document extends DocumentTypes, Select> = [Select] extends [undefined]
  ? RowOf<Document['name'], Document['properties'], Everything>
  : string extends Select
    ? Readonly<Record<string, unknown>>
    : RowOf<Document['name'], Document['properties'], ItemsOf<Select>>

/** The select itself, or the error that says what is wrong with it. */
export type LegalSelect<Document extends DocumentTypes, Select> =
  SelectedRow<Document, Select> extends SelectError<infer Message> ? SelectError<Message> : Select
