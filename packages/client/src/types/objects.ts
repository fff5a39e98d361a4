// The questions to an Enterprise Document, whose answers have the type that the select gives them.
import type { AggregateQuery, CollectionQuery, Page, PagesQuery, RowsQuery } from '../resources/collection.ts'
import type { AggregatedRow, LegalAggregate } from './aggregate.ts'
import type { DocumentTypes } from './company.ts'
import type { Fields } from './fields.ts'
import type { LegalSelect, SelectedRow, SelectObject } from './select.ts'

type Selectable<Document extends DocumentTypes> = string | SelectObject<Document['properties']> | undefined
type Query<Base extends CollectionQuery, Document extends DocumentTypes, Select> = Asked<Base, Document> & {
  readonly select?: Select & LegalSelect<Document, Select>
}
type Asked<Base extends CollectionQuery, Document extends DocumentTypes> = Document extends {
  readonly states: infer State extends string
}
  ? Omit<Base, 'select' | 'parameters'> & { readonly parameters: AnyOf<State> }
  : Omit<Base, 'select'>
/** One of the parameters is true, whichever. */
type AnyOf<State extends string> = {
  readonly [One in State]: { readonly [Name in One]: true } & { readonly [Other in State]?: boolean }
}[State]

export interface TypedCollection<Document extends DocumentTypes> {
  /** The properties, for filters: ``filter`${fields.countryCode} eq ${'NO'}` ``. */
  readonly fields: Fields<Document['properties']>
  list<const Select extends Selectable<Document> = undefined>(
    query?: Query<CollectionQuery, Document, Select>,
  ): Promise<SelectedRow<Document, Select>[]>
  rows<const Select extends Selectable<Document> = undefined>(
    query?: Query<RowsQuery, Document, Select>,
  ): AsyncGenerator<SelectedRow<Document, Select>, void>
  pages<const Select extends Selectable<Document> = undefined>(
    query?: Query<PagesQuery, Document, Select>,
  ): AsyncGenerator<Page<SelectedRow<Document, Select>>, void>
  count(query?: Asked<AggregateQuery, Document>): Promise<number>
  aggregate<const Aggregate extends string | undefined = undefined, const Group extends string | undefined = undefined>(
    query: Omit<Asked<AggregateQuery, Document>, 'aggregate' | 'groupBy'> & {
      readonly aggregate?: Aggregate & LegalAggregate<Document, Aggregate, Group>
      readonly groupBy?: Group
    },
  ): Promise<AggregatedRow<Document, Aggregate, Group>[]>
}

/** A company that is described has its documents by their names. */
export type TypedObjects<Objects> = {
  readonly [Name in keyof Objects]: Objects[Name] extends DocumentTypes ? TypedCollection<Objects[Name]> : never
}
