// Checks companies: ids, references, periods, and the attribute values that the file lists.

import { orUndefined } from '../../base/thrown.ts'
import type { CompanySetup, Setup } from '../file/setup-schema.ts'
import type { SetupPath, YamlSource } from '../file/yaml-source.ts'
import type { InForce } from '../items/setup-items.ts'
import { valueRule } from '../rules/value-rule.ts'
import { checkAttribute } from './attributes.ts'
import type { CompanyIndex } from './check.ts'
import { checkReference, checkUnique } from './check.ts'
import { checkCustomers, checkCustomFields } from './customers.ts'

export function checkCompanies(setup: Setup, source: YamlSource, inForce: InForce): void {
  checkUnique(
    source,
    ['companies'],
    setup.companies,
    (company) => company.id,
    'id',
    (id) => id.toLowerCase(),
  )
  for (const [index, company] of (setup.companies ?? []).entries()) {
    // Columns of a fixed width do not preserve blanks at the ends.
    if (company.id !== company.id.trim())
      source.add(['companies', index, 'id'], 'an id must not begin or end with a blank')
    checkCompany(company, ['companies', index], source, inForce)
  }
}

function checkCompany(company: CompanySetup, path: SetupPath, source: YamlSource, inForce: InForce): void {
  const index: CompanyIndex = {
    attributes: new Map((company.attributes ?? []).map((attribute) => [attribute.id, attribute])),
    relations: new Map((company.relations ?? []).map((relation) => [relation.id, relation])),
    valueLists: new Map(Object.entries(company.valueLists ?? {})),
  }
  checkUnique(source, [...path, 'attributes'], company.attributes, (attribute) => attribute.id, 'id')
  checkUnique(source, [...path, 'attributes'], company.attributes, (attribute) => attribute.name, 'name')
  for (const [at, attribute] of (company.attributes ?? []).entries()) {
    checkAttribute(attribute, [...path, 'attributes', at], index, source)
  }
  checkRelations(company, path, index, source)
  checkPeriods(company, path, source)
  checkValues(company, path, index, source)
  checkDocumentTypes(company, path, index, source)
  if (!company.customers) return
  const here = [...path, 'customers']
  checkCustomers(company, company.customers, here, index, source)
  checkCustomFields(company.customers, here, source, inForce.customers.get(company.id))
}

function checkRelations(company: CompanySetup, path: SetupPath, index: CompanyIndex, source: YamlSource): void {
  const at = [...path, 'relations']
  checkUnique(source, at, company.relations, (relation) => relation.id, 'id')
  const pair = (relation: { attributeId: string; relatedAttributeId: string }) =>
    `${relation.attributeId} to ${relation.relatedAttributeId}`
  checkUnique(source, at, company.relations, pair, 'relatedAttributeId')
  for (const [number, relation] of (company.relations ?? []).entries()) {
    for (const member of ['attributeId', 'relatedAttributeId'] as const) {
      checkReference(source, [...at, number, member], 'attribute', relation[member], index.attributes)
    }
  }
}

function checkPeriods(company: CompanySetup, path: SetupPath, source: YamlSource): void {
  for (const [number, { from, to, perYear = 12 }] of (company.periods ?? []).entries()) {
    const at = [...path, 'periods', number]
    if (from > to) source.add([...at, 'from'], `the period ${from} is after ${to}`)
    for (const [member, period] of [
      ['from', from],
      ['to', to],
    ] as const) {
      const ofYear = period % 100
      if (period < 190_001 || ofYear < 1 || ofYear > perYear) {
        source.add([...at, member], `${period} is no period: expected yyyypp with pp from 01 to ${perYear}`)
      }
    }
  }
}

function checkValues(company: CompanySetup, path: SetupPath, index: CompanyIndex, source: YamlSource): void {
  for (const [attributeId, values] of Object.entries(company.attributeValues ?? {})) {
    const at = [...path, 'attributeValues', attributeId]
    const attribute = index.attributes.get(attributeId)
    if (!attribute) {
      checkReference(source, at, 'attribute', attributeId, index.attributes)
      continue
    }
    const position = (company.attributes ?? []).indexOf(attribute)
    const isRuleValid = source.isValid([...path, 'attributes', position, 'values'])
    const rule = valueRuleOrNone((isRuleValid && attribute.values) || {})
    for (const value of Object.keys(values)) {
      const problem = value === '' ? 'a value must not be empty' : rule(value)
      if (problem !== undefined) source.addAtKey([...at, value], problem)
    }
  }
}

/** A pattern that does not compile is reported once, at the pattern, and not at every value. */
function valueRuleOrNone(values: Parameters<typeof valueRule>[0]): ReturnType<typeof valueRule> {
  return orUndefined(() => valueRule(values)) ?? (() => undefined)
}

function checkDocumentTypes(company: CompanySetup, path: SetupPath, index: CompanyIndex, source: YamlSource): void {
  const at = [...path, 'documentTypes']
  checkUnique(source, at, company.documentTypes, (type) => type.id, 'id')
  for (const [number, type] of (company.documentTypes ?? []).entries()) {
    const indexes = [...at, number, 'indexes']
    checkUnique(source, indexes, type.indexes, (one) => one.sequenceNo, 'sequenceNo')
    for (const [position, one] of (type.indexes ?? []).entries()) {
      checkReference(source, [...indexes, position, 'attributeId'], 'attribute', one.attributeId, index.attributes)
    }
  }
}
