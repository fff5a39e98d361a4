// What a caller may ask for, under the names that OData allows.
import type {
  AssociationProperty,
  DocumentDefinition,
  GroupProperty,
  ListProperty,
  ValueProperty,
} from '../../model/document.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'

/** `text`: what a code of the property means, which stands beside the code. */
export type ODataProperty =
  | { readonly kind: 'value' | 'text'; readonly property: ValueProperty }
  | { readonly kind: 'group'; readonly property: GroupProperty; readonly properties: ODataProperties }

/** In the order of the answer. */
export type ODataProperties = ReadonlyMap<string, ODataProperty>

/** Records or items that are answered when they are expanded. */
export interface Navigation {
  readonly property: ListProperty | AssociationProperty
  readonly properties: ODataProperties
}

/** A document whose properties have the names that OData allows. */
export interface NamedDocument {
  /** The names are keys of `properties` here, so it can be queried as every document. */
  readonly definition: DocumentDefinition
  readonly properties: ODataProperties
  readonly navigation: ReadonlyMap<string, Navigation>
}

export interface EntitySet extends NamedDocument {
  readonly name: string
  readonly document: EnterpriseDocument
  /** The entity sets with the items of its lists, by the names of their navigation properties; absent: it has none. */
  readonly lists?: ReadonlyMap<string, EntitySet>
}
