// Attribute relations: links between values of two attributes.
import type { Static } from 'typebox'
import { OPEN_TO } from '../../base/dates.ts'
import { lastUpdated } from '../document.ts'
import { dateTime, defineRecord, integer, number, queriesOnly, text } from '../record-definition.ts'

const attributeJoin = (attributeColumn: string) => ({
  table: 'attribute',
  on: [[{ column: attributeColumn }, 'attribute_id']] as const,
})

/** A patch replaces these alone (specification, endpoints of attribute relations). */
const replaced = [{ path: '', ops: ['replace'] }] as const

const asInteger = { column: 'attribute_value', storedAs: 'integer-text' } as const

export const AttributeRelation = defineRecord({
  title: 'AttributeRelation',
  name: 'attribute-relations',
  version: 1,
  description: 'A link between values of two attributes, with its validity and share.',
  table: 'attribute_relation',
  companyColumn: 'company_id',
  joins: { a: attributeJoin('attribute_id'), r: attributeJoin('related_attribute_id') },
  key: ['companyId', 'attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue'],
  searched: [],
  indexes: [
    {
      name: 'attribute_relation_related',
      columns: ['company_id', 'relation_value', 'related_attribute_id', 'attribute_id', 'attribute_value'],
    },
  ],
  validity: { from: 'dateFrom', to: 'dateTo', unit: 'time' },
  fields: {
    companyId: text({ length: 25, isFixed: true }),
    attributeId: text({
      length: 25,
      isRequired: true,
      isFixed: true,
      description: 'The attribute; cannot be changed.',
    }),
    attributeValue: text({
      length: 255,
      isRequired: true,
      codes: { attributeIdIn: { column: 'attribute_id' } },
      // The message of rule 7 (specification, attribute relations).
      patch: [
        {
          path: '',
          ops: ['replace'],
          refusal: {
            code: 3010,
            message: 'Data was rejected because of errors which were detected during saving.',
          },
        },
      ],
      description: 'A legal value of the attribute; cannot be changed.',
    }),
    relatedAttributeId: text({
      length: 25,
      isRequired: true,
      isFixed: true,
      description: 'An attribute that a configured relation leads to; cannot be changed.',
    }),
    relationValue: text({
      length: 255,
      isRequired: true,
      codes: { attributeIdIn: { column: 'related_attribute_id' } },
      patch: replaced,
      description: 'A legal value of the related attribute.',
    }),
    attributeName: text({
      length: 100,
      source: { table: 'a', column: 'name' },
      description: 'Of the attribute; answered only.',
    }),
    attributeValueFrom: integer({
      source: asInteger,
      description: 'The value, when it is an integer; else 0. Answered only.',
      inQueries: 'The value, when it is an integer; else 0.',
    }),
    attributeValueTo: integer({
      source: asInteger,
      description: 'The value, when it is an integer; else 0. Answered only.',
      inQueries: 'The value, when it is an integer; else 0.',
    }),
    relatedAttributeName: text({
      length: 100,
      source: { table: 'r', column: 'name' },
      description: 'Of the related attribute; answered only.',
    }),
    dateFrom: dateTime({ hasZone: true, isFixed: true, description: 'Start of validity; 1900-01-01 when open.' }),
    dateTo: dateTime({
      hasZone: true,
      default: OPEN_TO,
      patch: replaced,
      description: 'End of validity; 2099-12-31 when open.',
    }),
    percentage: number({ minimum: 0, maximum: 100, patch: replaced }),
    lastUpdated: queriesOnly(lastUpdated),
  },
})

export type AttributeRelation = Static<typeof AttributeRelation.schema>
