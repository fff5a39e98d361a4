// What the dimensions of records are called: members whose values are those of one attribute or another, as a second
// member says. Which ones these are is read from the newest records.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fetchJson } from './client.ts'
import { type DocumentInfo, type FieldInfo, useDocument } from './metadata.ts'
import { addressOf, memberAt } from './question.ts'
import { useCompany, useMay } from './session.ts'

const KEPT_MS = 300_000
/** Enough to see what a dimension is used for. */
const READ_RECORDS = 200
/** With more, the name of the member itself says as much. */
const MOST_NAMES = 3

/** The member that says of which attribute a field has the values; undefined for fields with an attribute of their own. */
export const attributeIdPath = ({ schema }: FieldInfo): string | undefined =>
  schema['x-erp-attribute']?.attributeIdProperty

export interface AttributeInfo {
  readonly attributeId: string
  readonly description: string
}

const byId = (attributes: readonly AttributeInfo[]): ReadonlyMap<string, AttributeInfo> =>
  new Map(attributes.map((attribute) => [attribute.attributeId, attribute]))

const NO_ATTRIBUTES = byId([])

/** The attributes of the company by their ids; empty for those who may not read them. */
export function useAttributes(): ReadonlyMap<string, AttributeInfo> {
  const { id: company } = useCompany()
  const may = useMay()
  const { data = NO_ATTRIBUTES } = useQuery({
    queryKey: [company, 'attribute-titles'],
    enabled: may('objects:read/attributes'),
    staleTime: KEPT_MS,
    queryFn: () =>
      fetchJson<AttributeInfo[]>(addressOf(company, { document: 'attributes', select: 'attributeId,description' })),
    select: byId,
  })
  return data
}

/** What people call the attribute that a relation leads to. */
export function useAttributeTitle(): (related: RelatedAttribute) => string {
  const attributes = useAttributes()
  return ({ relatedAttributeId: id, relatedAttributeName: name }) => attributes.get(id)?.description || name
}

interface RelatedAttribute {
  readonly relatedAttributeId: string
  readonly relatedAttributeName: string
}

export const isDimension = (field: FieldInfo): boolean => attributeIdPath(field) !== undefined && !field.association

/** The attributes of the dimensions of its newest records; not enabled for a document without any. */
export function newestQuery(company: string, { name, fields, keys }: DocumentInfo) {
  const ids = fields.filter(isDimension).map((field) => attributeIdPath(field) ?? '')
  const newestFirst = keys.filter((key) => key !== 'companyId').map((key) => `${key} desc`)
  return queryOptions({
    queryKey: [company, 'dimensions', name, ids],
    enabled: ids.length > 0,
    staleTime: KEPT_MS,
    queryFn: () =>
      fetchJson<unknown[]>(
        addressOf(company, {
          document: name,
          select: ids.join(','),
          orderBy: newestFirst.join(','),
          limit: READ_RECORDS,
        }),
      ),
  })
}

/** The attributes whose values a dimension has in the records. */
export function attributesIn(rows: readonly unknown[], field: FieldInfo): ReadonlySet<string> {
  const at = attributeIdPath(field)?.split('/') ?? []
  return new Set(rows.map((row) => String(memberAt(row, at) ?? '')))
}

/** The document with each dimension called what it is used for. */
export function useNamedDocument(name: string): DocumentInfo {
  const { id: company } = useCompany()
  const document = useDocument(name)
  const attributes = useAttributes()
  const newest = newestQuery(company, document)
  const { data: rows } = useQuery({ ...newest, enabled: newest.enabled && attributes.size > 0 })
  return useMemo(() => (rows ? withNames(document, rows, attributes) : document), [document, rows, attributes])
}

function withNames(
  document: DocumentInfo,
  rows: readonly unknown[],
  attributes: ReadonlyMap<string, AttributeInfo>,
): DocumentInfo {
  const named = (field: FieldInfo): FieldInfo => {
    if (!isDimension(field)) return field
    const names = [...attributesIn(rows, field)].flatMap((id) => attributes.get(id)?.description || [])
    if (names.length === 0 || names.length > MOST_NAMES) return field
    return { ...field, titles: field.titles.with(-1, names.join(' / ')) }
  }
  return { ...document, fields: document.fields.map(named) }
}
