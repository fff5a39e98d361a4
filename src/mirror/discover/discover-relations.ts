// Which attributes a source relates, found by their relations: it describes these nowhere.
import { isObject, type JsonObject, type JsonValue } from '../../base/strict-json.ts'
import { literalOf } from '../../query/literals.ts'
import type { AttributeSetup, RelationSetup } from '../../setup/file/setup-schema.ts'
import { type ErpSource, SourceFailure } from '../source/source.ts'
import { type AskedDocument, readRows, wholeDocument } from '../source/source-pages.ts'

const SAMPLE_ROWS = 1_000

const RELATIONS: AskedDocument = {
  ...wholeDocument({ name: 'attribute-relations', version: 1 }),
  key: ['attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue'].map((name) => ({ name, isText: true })),
}
const VALUES = wholeDocument({ name: 'attribute-values', version: 1 })
const CUSTOMERS = wholeDocument({ name: 'customers', version: 1 })

/** `customers`: the attribute that customers are values of. */
export async function discoverRelations(
  source: ErpSource,
  attributes: readonly AttributeSetup[],
  customers: string | undefined,
): Promise<readonly RelationSetup[]> {
  const found = new Map<string, RelationSetup>()
  const ids = new Set(attributes.map(({ id }) => id))
  for (const { id } of attributes) {
    const filters = [`attributeId eq ${literalOf(id)}`]
    const rows = await readRows(source, RELATIONS, { filters, limit: SAMPLE_ROWS, isOrdered: false })
    const byRelated = new Map(rows.map((row) => [String(row.relatedAttributeId), row]))
    for (const [related, row] of byRelated) {
      if (!ids.has(related)) continue
      const named = (await nameOf(source, row, customers)) ?? { id: `${id}-${related}`, name: `${id} to ${related}` }
      const isTaken = found.has(named.id)
      const relationId = isTaken ? `${id}-${related}` : named.id
      found.set(relationId, {
        ...named,
        id: relationId.slice(0, 25),
        attributeId: id,
        relatedAttributeId: related,
        multiple: true,
      })
    }
  }
  return [...found.values()]
}

/** What the values call the relation that this one is. */
async function nameOf(source: ErpSource, relation: JsonObject, customers: string | undefined) {
  const { attributeId, attributeValue, relationValue } = relation
  const value = literalOf(String(attributeValue))
  const isCustomer = attributeId === customers
  const filters = isCustomer
    ? [`customerId eq ${value}`]
    : [`attributeId eq ${literalOf(String(attributeId))}`, `attributeValue eq ${value}`]
  try {
    const select = [isCustomer ? 'customerId' : 'attributeValue', 'relatedValues']
    const asked = isCustomer ? CUSTOMERS : VALUES
    const rows = await readRows(source, asked, { filters, select, limit: 1, isOrdered: false })
    const items = rows
      .flatMap(({ relatedValues }) => (Array.isArray(relatedValues) ? relatedValues : []))
      .filter(isObject)
    const item = items.find((one) => valueIn(one) === relationValue)
    const id = typeof item?.relationId === 'string' ? item.relationId : ''
    if (!item || id === '') return undefined
    const group = typeof item.relationGroup === 'string' ? item.relationGroup.slice(0, 25) : ''
    return { id, name: shortName(item.relationName) || id, ...(group === '' ? {} : { group }) }
  } catch (error) {
    if (error instanceof SourceFailure && error.status >= 400 && error.status < 500) return undefined
    throw error
  }
}

/** Some sources nest the other value. */
function valueIn({ relatedValue }: JsonObject): JsonValue | undefined {
  return isObject(relatedValue) ? relatedValue.dimValue : relatedValue
}

function shortName(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.slice(0, 100) : ''
}
