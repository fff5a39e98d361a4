// What the dimensions of records are called: members whose values are those of one attribute or another, as a second
// member says. Which ones these are is read from the newest records.
import { useQuery } from '@tanstack/react-query'
import { fetchJson } from './client.ts'
import type { DocumentInfo, FieldInfo } from './metadata.ts'
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

/** The attributes of the company by their ids; empty for those who may not read them. */
export function useAttributes(): ReadonlyMap<string, AttributeInfo> {
  const { id: company } = useCompany()
  const may = useMay()
  const { data = [] } = useQuery({
    queryKey: [company, 'attribute-titles'],
    enabled: may('objects:read/attributes'),
    staleTime: KEPT_MS,
    queryFn: () =>
      fetchJson<AttributeInfo[]>(addressOf(company, { document: 'attributes', select: 'attributeId,description' })),
  })
  return new Map(data.map((attribute) => [attribute.attributeId, attribute]))
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

/** The title of a field: of a dimension, what it is used for. */
export function useFieldTitle(document: DocumentInfo): (field: FieldInfo) => string {
  const { id: company } = useCompany()
  const attributes = useAttributes()
  const dimensions = document.fields.filter((field) => attributeIdPath(field) !== undefined && !field.association)
  const ids = dimensions.map((field) => attributeIdPath(field) ?? '')
  const { data = [] } = useQuery({
    queryKey: [company, 'dimensions', document.name, ids],
    enabled: ids.length > 0 && attributes.size > 0,
    staleTime: KEPT_MS,
    retry: false,
    queryFn: () =>
      fetchJson<unknown[]>(
        addressOf(company, {
          document: document.name,
          select: ids.join(','),
          orderBy: document.keys
            .filter((key) => key !== 'companyId')
            .map((key) => `${key} desc`)
            .join(','),
          limit: READ_RECORDS,
        }),
      ),
  })
  return (field) => {
    const own = field.titles.at(-1) ?? ''
    const at = ids[dimensions.indexOf(field)]?.split('/')
    const used = at ? new Set(data.map((row) => String(memberAt(row, at) ?? ''))) : new Set<string>()
    const names = [...used].flatMap((id) => attributes.get(id)?.description || [])
    return names.length === 0 || names.length > MOST_NAMES ? own : names.join(' / ')
  }
}
