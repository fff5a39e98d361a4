// The questions to an Enterprise Document, whose answers have the type that the select gives them.
import type { AggregateQuery, CollectionQuery, Page, PagesQuery, RowsQuery } from '../resources/collection.ts'
import type { AggregatedRow, LegalAggregate } from './aggregate.ts'
import type { DocumentTypes } from './company.ts'
import type { Fields } from './fields.ts'
import type { LegalSelect, SelectedRow, SelectObject } from './select.ts'

type Selectable<Document extends DocumentTypes> = string | SelectObject<Document['properties']> | undefined
type Query<Base, Document extends DocumentTypes, Select> = Omit<Base, 'select'> & {
  readonly select?: Select & LegalSelect<Document, Select>
}

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
  count(query?: AggregateQuery): Promise<number>
  aggregate<const Aggregate extends string | undefined = undefined, const Group extends string | undefined = undefined>(
    query: Omit<AggregateQuery, 'aggregate' | 'groupBy' | 'select'> & {
      readonly aggregate?: Aggregate & LegalAggregate<Document, Aggregate, Group>
      readonly groupBy?: Group
    },
  ): Promise<AggregatedRow<Document, Aggregate, Group>[]>
}

/** Of a company that is described: its documents by their names. */
export type TypedObjects<Objects> = {
  readonly [Name in keyof Objects]: Objects[Name] extends DocumentTypes ? TypedCollection<Objects[Name]> : never
}
