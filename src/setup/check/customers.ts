// Checks the customers section of a company: attribute, relations, legal values and custom fields.

import { foldName, shortened } from '../../base/text.ts'
import { isUnknown } from '../file/repair.ts'
import type { CompanySetup, CustomersSetup } from '../file/setup-schema.ts'
import type { SetupPart } from '../file/yaml-source.ts'
import { checkNumbering } from './attributes.ts'
import { type CompanyIndex, checkRange, checkReference, checkUnique, isWordOfQueries } from './check.ts'

type LegalValues = { valueList?: string; attributeId?: string }
type CustomField = NonNullable<CustomersSetup['customFieldGroups']>[number]['fields'][number]

export function checkCustomers(
  company: CompanySetup,
  customers: CustomersSetup,
  place: SetupPart,
  index: CompanyIndex,
): void {
  checkReference(place.at('attributeId'), 'attribute', customers.attributeId, index.attributes)
  if (customers.numbering) checkNumbering(customers.numbering, place.at('numbering'))
  checkGeneralType(company, customers, place, index)
  for (const [at, id] of (customers.mandatoryRelations ?? []).entries()) {
    const here = place.at('mandatoryRelations', at)
    checkReference(here, 'relation', id, index.relations)
    const relation = index.relations.get(id)
    if (
      relation &&
      ![relation.attributeId, customers.attributeId].some(isUnknown) &&
      relation.attributeId !== customers.attributeId
    ) {
      here.add(
        `the relation '${id}' is of attribute ${relation.attributeId}, not of the customers' attribute ${customers.attributeId}`,
      )
    }
  }
  for (const [field, legal] of Object.entries(customers.legalValues ?? {})) {
    if (legal) checkLegalValues(legal, place.at('legalValues', field), index)
  }
  const groups = customers.customFieldGroups
  checkUnique(place.at('customFieldGroups'), groups, 'name', foldName)
  for (const [at, group] of (groups ?? []).entries()) {
    const fields = place.at('customFieldGroups', at, 'fields')
    checkUnique(fields, group.fields, 'name', foldName)
    for (const [position, field] of group.fields.entries()) checkField(field, fields.at(position), index)
  }
}

/** As paths of queries have them. */
const PATH_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u
/** What JavaScript has of every object, and what answers tell of themselves. */
const TAKEN = /^(__proto__|notificationMessages)$/i

/** SQLite takes as many values of a row in one question, with all else that a customer has. */
const MAX_FIELDS = 300

/** Queries must be able to name each group and each field, and to ask for all. `earlier`: those in force. */
export function checkCustomFields(
  { customFieldGroups = [] }: CustomersSetup,
  place: SetupPart,
  earlier: CustomersSetup | undefined,
): void {
  const known = new Set(
    (earlier?.customFieldGroups ?? []).flatMap(({ name, fields }) => [
      name,
      ...fields.map((field) => `${name}/${field.name}`),
    ]),
  )
  const count = countFields(customFieldGroups)
  if (count > Math.max(MAX_FIELDS, countFields(earlier?.customFieldGroups ?? [])))
    place.at('customFieldGroups').addAtKey(`customers have at most ${MAX_FIELDS} fields; found ${count}`)
  const check = (kind: string, key: string, name: string, here: SetupPart) => {
    if (known.has(key)) return
    if (TAKEN.test(name)) here.add(`a ${kind} cannot be called '${name}'`)
    else if (!PATH_NAME.test(name)) here.add(`'${shortened(name)}' is no name of a ${kind}: letters, digits and _ are`)
    else if (isWordOfQueries(name)) here.add(`'${name}' is a word of the query language, which cannot name a ${kind}`)
  }
  for (const [at, { name, fields }] of customFieldGroups.entries()) {
    const here = place.at('customFieldGroups', at)
    check('group', name, name, here.at('name'))
    for (const [position, field] of fields.entries())
      check('field', `${name}/${field.name}`, field.name, here.at('fields', position, 'name'))
  }
}

function countFields(groups: NonNullable<CustomersSetup['customFieldGroups']>): number {
  return groups.reduce((count, { fields }) => count + fields.length, 0)
}

/** The type must be one of the ADDRTYPE values in the file. Where the file lists none, it is checked at use. */
function checkGeneralType(
  company: CompanySetup,
  { generalContactPointType: type }: CustomersSetup,
  place: SetupPart,
  index: CompanyIndex,
): void {
  const attribute = [...index.attributes.values()].find((one) => one.name === 'ADDRTYPE')
  const types = attribute && company.attributeValues?.[attribute.id]
  if (type === undefined || !types || Object.keys(types).some((value) => value === type || isUnknown(value))) return
  place.at('generalContactPointType').add(`'${type}' is no value of the attribute ADDRTYPE`)
}

function checkField(field: CustomField, place: SetupPart, index: CompanyIndex): void {
  checkRange(field, place)
  if (field.legalValues) checkLegalValues(field.legalValues, place.at('legalValues'), index)
}

function checkLegalValues(legal: LegalValues, place: SetupPart, index: CompanyIndex): void {
  if ((legal.valueList === undefined) === (legal.attributeId === undefined)) {
    place.add('expected either valueList or attributeId')
  }
  checkReference(place.at('valueList'), 'value list', legal.valueList, index.valueLists)
  checkReference(place.at('attributeId'), 'attribute', legal.attributeId, index.attributes)
}
