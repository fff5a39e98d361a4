// The Enterprise Document of customers. The setup of a company defines the descriptions of codes and the custom fields.
import {
  type Codes,
  type DocumentDefinition,
  group,
  type Properties,
  type Property,
  type Source,
  value,
} from '../../model/document.ts'
import { NAMED_BY_SETUP } from '../../model/record-definition.ts'
import { Customer } from '../../model/records/customer.ts'
import { namesIn } from '../../setup/rules/declared-properties.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'

/** The definition for a company, or without one the part that all companies have in common. */
export function customerDocument(company: CompanyRules | undefined): DocumentDefinition {
  if (!company) return Customer.document
  const { attributeId = '', legalValues = {} } = company.customers ?? {}
  const properties = withCodes(Customer.document.properties, legalValues)
  const customFieldGroups = group(customFields(company.customers), { isOnRequest: true })
  return { ...Customer.document, relationsOf: { attributeId }, properties: { ...properties, customFieldGroups } }
}

/** The properties with the codes that a setup names for them. */
function withCodes(properties: Properties, named: Readonly<Partial<Record<string, Codes>>>): Properties {
  const coded = ([name, property]: [string, Property]): [string, Property] => {
    if (property.kind === 'group') return [name, { ...property, properties: withCodes(property.properties, named) }]
    if (property.kind !== 'value' || property.codes !== NAMED_BY_SETUP) return [name, property]
    const { codes: _bySetup, ...rest } = property
    const codes = named[name]
    return [name, codes ? { ...rest, codes } : rest]
  }
  return Object.fromEntries(Object.entries(properties).map(coded))
}

/** The properties of the custom fields by group; their values are members of a JSON column. */
function customFields(customers: CompanyRules['customers']): Properties {
  const groups = (customers?.customFieldGroups ?? []).map(({ name, fields, ...names }) => {
    const properties = fields.map((field) => {
      const source: Source = { json: 'custom_fields', path: [name, field.name] }
      const codes = field.legalValues
      return [
        field.name,
        value(field.type, source, {
          ...(codes ? { codes } : {}),
          ...namesIn(field),
          ...(field.required ? { isRequired: true } : {}),
        }),
      ]
    })
    return [name, group(Object.fromEntries(properties), namesIn(names))]
  })
  return Object.fromEntries(groups)
}
