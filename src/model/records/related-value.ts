// Related values: the attribute relations of a value as a list in its record.
import type { Static } from 'typebox'
import { OPEN_TO } from '../../base/dates.ts'
import type { ItemTable } from '../document.ts'
import { dateTime, itemList, number, text } from '../record-definition.ts'
import { type Fields, objectOf } from '../record-fields.ts'

const fields = {
  unitValue: number(),
  relationGroup: text({
    source: { table: 't', column: 'group_name' },
    description: 'Of the configured relation; answered only.',
  }),
  relationId: text({ isRequired: true, description: 'A relation configured for the attribute; cannot be changed.' }),
  relationName: text({
    source: { table: 't', column: 'name' },
    description: 'Of the configured relation; answered only.',
  }),
  relatedValue: text({
    isRequired: true,
    column: 'relation_value',
    codes: { attributeIdIn: { column: 'related_attribute_id' } },
    description: 'A legal value of the attribute that the relation leads to.',
  }),
  percentage: number({ minimum: 0, maximum: 100 }),
  dateFrom: dateTime({ description: 'Start of validity; 1900-01-01 when open.' }),
  dateTo: dateTime({ description: 'End of validity; 2099-12-31 when open.', default: OPEN_TO }),
} satisfies Fields

export const RelatedValue = { fields, schema: objectOf(fields, { title: 'RelatedValue' }) }

export type RelatedValue = Static<typeof RelatedValue.schema>

/**
 * The relations of a record's value; `on` joins them with the record. Everything of one may change except its relation
 * (decision 2).
 */
export const relatedValues = (on: ItemTable['on'], description?: string) =>
  itemList(
    RelatedValue,
    {
      table: 'attribute_relation',
      on,
      orderBy: 'created_no',
      joins: {
        t: {
          table: 'relation',
          on: [[{ column: 'relation_id' }, 'relation_id']],
        },
      },
    },
    {
      ...(description === undefined ? {} : { description }),
      patch: [
        { path: '' },
        { path: '/-', ops: ['add'] },
        { path: '/*', ops: ['replace', 'remove'] },
        { path: '/*/relatedValue' },
        { path: '/*/percentage' },
        { path: '/*/dateFrom' },
        { path: '/*/dateTo' },
        { path: '/*/unitValue' },
      ],
    },
  )
