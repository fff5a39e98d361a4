// Contact points and related values as lists of an Enterprise Document (decision 6: the field names of the records).
import { group, type ItemTable, list, value } from '../../../model/document.ts'
import { ContactPoint } from './contact-point.ts'

/** A member of a stored contact point. */
const member = (...path: string[]) => value('string', { path })

const membersOf = (name: 'additionalContactInfo' | 'address' | 'phoneNumbers') =>
  Object.fromEntries(Object.keys(ContactPoint.properties[name].properties).map((inner) => [inner, member(name, inner)]))

export const contactPoints = list(
  {
    additionalContactInfo: group(membersOf('additionalContactInfo')),
    address: group(membersOf('address')),
    contactPointType: value('string', { path: ['contactPointType'] }, { codes: { attributeName: 'ADDRTYPE' } }),
    phoneNumbers: group(membersOf('phoneNumbers'), { aliases: ['phoneNumber'] }),
    sortOrder: value('integer', { path: ['sortOrder'] }, { aliases: ['sequenceNumber'] }),
  },
  { json: 'contact_points' },
)

/** The list of a value's relations; `on` joins the record with the relations of its value. */
export function relatedValuesOn(on: ItemTable['on']) {
  const relation = (column: string) => ({ table: 't', column })
  return list(
    {
      dateFrom: value('date-time', 'date_from'),
      dateTo: value('date-time', 'date_to'),
      percentage: value('number', 'percentage'),
      relatedValue: value('string', 'relation_value', { codes: { attributeIdIn: { column: 'related_attribute_id' } } }),
      relationGroup: value('string', relation('group_name')),
      relationId: value('string', 'relation_id'),
      relationName: value('string', relation('name')),
      unitValue: value('number', 'unit_value'),
    },
    {
      table: 'attribute_relation',
      on,
      orderBy: 'created_no',
      joins: {
        t: {
          table: 'relation',
          on: [
            [{ column: 'company_id' }, 'company_id'],
            [{ column: 'relation_id' }, 'relation_id'],
          ],
        },
      },
    },
  )
}
