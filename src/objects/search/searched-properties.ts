// What is searched in the records of a document, and what is shown of them, by its definition as the caller sees it.
import { memo } from '../../base/memo.ts'
import type {
  AssociationProperty,
  DocumentDefinition,
  Properties,
  Property,
  ValueProperty,
} from '../../model/document.ts'
import { propertyAt } from '../titled-schema.ts'

export interface SearchedProperty {
  readonly path: string
  readonly property: ValueProperty
  readonly column: string
}

export interface SearchedProperties {
  /** Names of the key without the company. */
  readonly key: readonly string[]
  /** Names and descriptions: found by any part, without letter case. */
  readonly texts: readonly SearchedProperty[]
  /** Short texts, such as numbers of customers: found by their start. */
  readonly codes: readonly SearchedProperty[]
  /** Keys of other records: found as a whole. */
  readonly references: readonly SearchedProperty[]
  readonly integers: readonly SearchedProperty[]
  readonly amounts: readonly SearchedProperty[]
  readonly dates: readonly SearchedProperty[]
  /** The path of what a person calls a record. */
  readonly title: string | undefined
  /** Paths of what tells one record from another beside that. */
  readonly details: readonly string[]
}

/** A longer text is a name or a description rather than a code. */
const LONGEST_CODE = 40
const NAME = /name|title|description|text|comment|subject/i
/** The statement stays short, and its time too. */
const MOST_OF_A_KIND = 6
const DETAILS = 4

export const searchedProperties = memo((definition: DocumentDefinition): SearchedProperties => {
  const { properties, companyColumn, searched, defaultColumns = [] } = definition
  const key = definition.key.filter((name) => columnOf(properties[name]) !== companyColumn)
  const own = [...ownValues(properties)].filter(({ column }) => column !== companyColumn)
  const referring = new Set(associationsOf(properties).flatMap(({ on }) => on.map(([column]) => column)))
  const isSearched = ({ path, property }: SearchedProperty) =>
    searched ? searched.includes(path) : property.codes === undefined
  const strings = own.filter((one) => one.property.type === 'string' && isSearched(one))
  const isText = ({ path, property }: SearchedProperty) =>
    (property.maxLength ?? Number.POSITIVE_INFINITY) > LONGEST_CODE || NAME.test(path)
  const isReference = ({ column }: SearchedProperty) => referring.has(column)
  // The later parts of a key only count within the first.
  const counted = own.filter(({ property, path }) => property.type === 'integer' && path === key[0])
  const referred = own.filter((one) => one.property.type === 'integer' && isReference(one))
  const place = ({ path }: SearchedProperty) => (searched ? searched.indexOf(path) : Number(!NAME.test(path)))
  const named = strings
    .filter((one) => !isReference(one) && isText(one))
    .sort((one, other) => place(one) - place(other))
  const ofType = (type: ValueProperty['type']) => own.filter((one) => one.property.type === type)
  const [title] = named.filter(({ path }) => !key.includes(path))
  const shown = defaultColumns.filter((path) => isTelling(propertyAt(properties, path.split('/'), '')?.property))
  const further = [...named, ...ofType('date-time'), ...ofType('decimal')].map(({ path }) => path)
  return {
    key,
    texts: named.slice(0, MOST_OF_A_KIND),
    codes: strings.filter((one) => !isReference(one) && !isText(one)).slice(0, MOST_OF_A_KIND),
    references: strings.filter(isReference).slice(0, MOST_OF_A_KIND),
    integers: [...new Set([...counted, ...referred])].slice(0, MOST_OF_A_KIND),
    amounts: ofType('decimal').slice(0, MOST_OF_A_KIND),
    dates: ofType('date-time').slice(0, MOST_OF_A_KIND),
    title: title?.path,
    details: (shown.length > 0 ? shown : further)
      .filter((path) => path !== title?.path && !key.includes(path))
      .slice(0, DETAILS),
  }
})

/** Counts and sizes tell nobody which record it is. */
function isTelling(property: Property | undefined): boolean {
  return property?.kind === 'value' && (property.codes !== undefined || TELLING.has(property.type))
}

const TELLING: ReadonlySet<string> = new Set(['string', 'decimal', 'date-time'])

/** The values that the document's table has, but the stamp of the last change. */
function* ownValues(properties: Properties, above = ''): Generator<SearchedProperty> {
  for (const [name, property] of Object.entries(properties)) {
    if (property.kind === 'group' && !property.isComplex && !property.isOnRequest)
      yield* ownValues(property.properties, `${name}/`)
    if (property.kind !== 'value' || !property.filterable) continue
    const column = columnOf(property)
    if (column !== undefined) yield { path: above + name, property, column }
  }
}

function columnOf(property: Properties[string] | undefined): string | undefined {
  if (property?.kind !== 'value') return undefined
  const { source } = property
  return 'column' in source && source.table === undefined ? source.column : undefined
}

function associationsOf(properties: Properties): AssociationProperty[] {
  return Object.values(properties).filter((one) => one.kind === 'association')
}
