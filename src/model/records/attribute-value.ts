// Attribute values: master data in a range of periods.
import type { Static } from 'typebox'
import { lastUpdated } from '../document.ts'
import { defineRecord, integer, number, queriesOnly, text } from '../record-definition.ts'
import { contactPoints } from './contact-point.ts'
import { relatedValues } from './related-value.ts'

/** The end of a period that is open (decision 0). */
export const OPEN_PERIOD_TO = 209_912

const attribute = <Column extends string>(column: Column) => ({ table: 'a', column }) as const

/** The key columns within an attribute. */
const VALUE_KEY = ['attribute_value', 'period_from'] as const

export const AttributeValue = defineRecord({
  title: 'AttributeValue',
  name: 'attribute-values',
  version: 1,
  description: 'Master data: a value of an attribute in a range of periods.',
  table: 'attribute_value',
  companyColumn: 'company_id',
  joins: {
    a: {
      table: 'attribute',
      on: [[{ column: 'attribute_id' }, 'attribute_id']],
    },
    o: {
      table: 'attribute',
      on: [[attribute('owner_attribute_id'), 'attribute_id']],
    },
  },
  key: ['companyId', 'attributeId', 'attributeValue', 'periodFrom'],
  indexes: [
    {
      name: 'attribute_value_description',
      columns: ['company_id', 'attribute_id', 'description', ...VALUE_KEY],
      starts: ['description'],
    },
    {
      name: 'attribute_value_owner',
      columns: ['company_id', 'attribute_id', 'owner', ...VALUE_KEY],
      without: { column: 'owner', value: '' },
    },
    {
      name: 'attribute_value_status',
      columns: ['company_id', 'attribute_id', 'status', ...VALUE_KEY],
      without: { column: 'status', value: 'N' },
    },
  ],
  defaultColumns: ['attributeId', 'attributeValue', 'description', 'attributeName', 'status', 'owner', 'periodFrom'],
  searched: ['attributeValue', 'description'],
  validity: { from: 'periodFrom', to: 'periodTo', unit: 'period' },
  relationsOf: { attributeIdIn: { column: 'attribute_id' } },
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
      isFixed: true,
      description: 'A legal value; left out when the attribute numbers its values itself.',
    }),
    periodFrom: integer({ isFixed: true, description: 'yyyypp; 0 is open.', inQueries: 'yyyypp; 0 is open.' }),
    attributeName: text({
      length: 100,
      source: attribute('name'),
      description: 'Of the attribute; answered only.',
    }),
    description: text({ max: 4_000 }),
    periodTo: integer({
      default: OPEN_PERIOD_TO,
      description: 'yyyypp; 209912, or left out, is open.',
      inQueries: 'yyyypp; 209912 is open.',
    }),
    owner: text({
      max: 255,
      codes: { attributeIdIn: attribute('owner_attribute_id') },
      description: 'A value of the owner attribute, where one is set up.',
    }),
    ownerAttributeId: text({
      length: 25,
      source: attribute('owner_attribute_id'),
      description: 'Of the attribute; answered only.',
    }),
    ownerAttributeName: text({
      length: 100,
      source: { table: 'o', column: 'name' },
      description: 'Of the attribute; answered only.',
    }),
    status: text({
      length: 1,
      default: 'N',
      codes: { valueList: 'STATUS' },
      description: 'N active (when it is left out), P parked, C closed.',
      inQueries: 'N active, P parked, C closed.',
    }),
    customValue: number(),
    lastUpdated: queriesOnly(lastUpdated),
    relatedValues: relatedValues([
      ['attribute_id', 'attribute_id'],
      ['attribute_value', 'attribute_value'],
    ]),
    contactPoints: contactPoints('Only where the attribute allows them.'),
  },
})

export type AttributeValue = Static<typeof AttributeValue.schema>
