// Checks the customers section of a company: attribute, relations, legal values and custom fields.

import { shortened } from '../../base/text.ts'
import { isUnknown } from '../file/repair.ts'
import type { CompanySetup, CustomersSetup } from '../file/setup-schema.ts'
import type { SetupPath, YamlSource } from '../file/yaml-source.ts'
import { checkNumbering } from './attributes.ts'
import type { CompanyIndex } from './check.ts'
import { checkReference, checkUnique, isWordOfQueries } from './check.ts'

type LegalValues = { valueList?: string; attributeId?: string }
type CustomField = NonNullable<CustomersSetup['customFieldGroups']>[number]['fields'][number]

export function checkCustomers(
  company: CompanySetup,
  customers: CustomersSetup,
  path: SetupPath,
  index: CompanyIndex,
  source: YamlSource,
): void {
  checkReference(source, [...path, 'attributeId'], 'attribute', customers.attributeId, index.attributes)
  if (customers.numbering) checkNumbering(customers.numbering, [...path, 'numbering'], source)
  checkGeneralType(company, customers, path, index, source)
  for (const [at, id] of (customers.mandatoryRelations ?? []).entries()) {
    const here = [...path, 'mandatoryRelations', at]
    checkReference(source, here, 'relation', id, index.relations)
    const relation = index.relations.get(id)
    if (
      relation &&
      ![relation.attributeId, customers.attributeId].some(isUnknown) &&
      relation.attributeId !== customers.attributeId
    ) {
      source.add(
        here,
        `the relation '${id}' is of attribute ${relation.attributeId}, not of the customers' attribute ${customers.attributeId}`,
      )
    }
  }
  for (const [field, legal] of Object.entries(customers.legalValues ?? {})) {
    if (legal) checkLegalValues(legal, [...path, 'legalValues', field], index, source)
  }
  const groups = customers.customFieldGroups
  checkUnique(
    source,
    [...path, 'customFieldGroups'],
    groups,
    (group) => group.name,
    'name',
    (name) => name.toLowerCase(),
  )
  for (const [at, group] of (groups ?? []).entries()) {
    const fields = [...path, 'customFieldGroups', at, 'fields']
    checkUnique(
      source,
      fields,
      group.fields,
      (field) => field.name,
      'name',
      (name) => name.toLowerCase(),
    )
    for (const [position, field] of group.fields.entries()) checkField(field, [...fields, position], index, source)
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
  path: SetupPath,
  source: YamlSource,
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
    source.addAtKey([...path, 'customFieldGroups'], `customers have at most ${MAX_FIELDS} fields; found ${count}`)
  const check = (kind: string, key: string, name: string, here: SetupPath) => {
    if (known.has(key)) return
    if (TAKEN.test(name)) source.add(here, `a ${kind} cannot be called '${name}'`)
    else if (!PATH_NAME.test(name))
      source.add(here, `'${shortened(name)}' is no name of a ${kind}: letters, digits and _ are`)
    else if (isWordOfQueries(name))
      source.add(here, `'${name}' is a word of the query language, which cannot name a ${kind}`)
  }
  for (const [at, { name, fields }] of customFieldGroups.entries()) {
    const here = [...path, 'customFieldGroups', at]
    check('group', name, name, [...here, 'name'])
    for (const [position, field] of fields.entries())
      check('field', `${name}/${field.name}`, field.name, [...here, 'fields', position, 'name'])
  }
}

function countFields(groups: NonNullable<CustomersSetup['customFieldGroups']>): number {
  return groups.reduce((count, { fields }) => count + fields.length, 0)
}

/** The type must be one of the ADDRTYPE values in the file. Where the file lists none, it is checked at use. */
function checkGeneralType(
  company: CompanySetup,
  { generalContactPointType: type }: CustomersSetup,
  path: SetupPath,
  index: CompanyIndex,
  source: YamlSource,
): void {
  const attribute = [...index.attributes.values()].find((one) => one.name === 'ADDRTYPE')
  const types = attribute && company.attributeValues?.[attribute.id]
  if (type === undefined || !types || Object.keys(types).some((value) => value === type || isUnknown(value))) return
  source.add([...path, 'generalContactPointType'], `'${type}' is no value of the attribute ADDRTYPE`)
}

function checkField(field: CustomField, path: SetupPath, index: CompanyIndex, source: YamlSource): void {
  if (field.minimum !== undefined && field.maximum !== undefined && field.minimum > field.maximum) {
    source.add([...path, 'minimum'], `the minimum ${field.minimum} is greater than the maximum ${field.maximum}`)
  }
  if (field.legalValues) checkLegalValues(field.legalValues, [...path, 'legalValues'], index, source)
}

function checkLegalValues(legal: LegalValues, path: SetupPath, index: CompanyIndex, source: YamlSource): void {
  if ((legal.valueList === undefined) === (legal.attributeId === undefined)) {
    source.add(path, 'expected either valueList or attributeId')
  }
  checkReference(source, [...path, 'valueList'], 'value list', legal.valueList, index.valueLists)
  checkReference(source, [...path, 'attributeId'], 'attribute', legal.attributeId, index.attributes)
}
