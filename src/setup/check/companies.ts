// Checks companies: ids, references, periods, and the attribute values that the file lists.

import { foldName } from '../../base/text.ts'
import { orUndefined } from '../../base/thrown.ts'
import type { CompanySetup, Setup } from '../file/setup-schema.ts'
import type { SetupPart, YamlSource } from '../file/yaml-source.ts'
import type { InForce } from '../items/setup-items.ts'
import { valueRule } from '../rules/value-rule.ts'
import { checkAttribute } from './attributes.ts'
import { type CompanyIndex, checkReference, checkUnique } from './check.ts'
import { checkCustomers, checkCustomFields } from './customers.ts'

export function checkCompanies(setup: Setup, source: YamlSource, inForce: InForce): void {
  checkUnique(source.at('companies'), setup.companies, 'id', foldName)
  for (const [index, company] of (setup.companies ?? []).entries()) {
    // Columns of a fixed width do not preserve blanks at the ends.
    if (company.id !== company.id.trim())
      source.at('companies', index, 'id').add('an id must not begin or end with a blank')
    checkCompany(company, source.at('companies', index), inForce)
  }
}

function checkCompany(company: CompanySetup, place: SetupPart, inForce: InForce): void {
  const index: CompanyIndex = {
    attributes: new Map((company.attributes ?? []).map((attribute) => [attribute.id, attribute])),
    relations: new Map((company.relations ?? []).map((relation) => [relation.id, relation])),
    valueLists: new Map(Object.entries(company.valueLists ?? {})),
  }
  checkUnique(place.at('attributes'), company.attributes, 'id')
  checkUnique(place.at('attributes'), company.attributes, 'name')
  for (const [at, attribute] of (company.attributes ?? []).entries()) {
    checkAttribute(attribute, place.at('attributes', at), index)
  }
  checkRelations(company, place, index)
  checkPeriods(company, place)
  checkValues(company, place, index)
  checkDocumentTypes(company, place, index)
  if (!company.customers) return
  const here = place.at('customers')
  checkCustomers(company, company.customers, here, index)
  checkCustomFields(company.customers, here, inForce.customers.get(company.id))
}

function checkRelations(company: CompanySetup, place: SetupPart, index: CompanyIndex): void {
  const here = place.at('relations')
  checkUnique(here, company.relations, 'id')
  const pairs = company.relations?.map((one) => ({
    relatedAttributeId: `${one.attributeId} to ${one.relatedAttributeId}`,
  }))
  checkUnique(here, pairs, 'relatedAttributeId')
  for (const [number, relation] of (company.relations ?? []).entries()) {
    for (const member of ['attributeId', 'relatedAttributeId'] as const) {
      checkReference(here.at(number, member), 'attribute', relation[member], index.attributes)
    }
  }
}

function checkPeriods(company: CompanySetup, place: SetupPart): void {
  for (const [number, { from, to, perYear = 12 }] of (company.periods ?? []).entries()) {
    const here = place.at('periods', number)
    if (from > to) here.at('from').add(`the period ${from} is after ${to}`)
    for (const [member, period] of Object.entries({ from, to })) {
      const ofYear = period % 100
      if (period < 190_001 || ofYear < 1 || ofYear > perYear) {
        here.at(member).add(`${period} is no period: expected yyyypp with pp from 01 to ${perYear}`)
      }
    }
  }
}

function checkValues(company: CompanySetup, place: SetupPart, index: CompanyIndex): void {
  for (const [attributeId, values] of Object.entries(company.attributeValues ?? {})) {
    const here = place.at('attributeValues', attributeId)
    const attribute = index.attributes.get(attributeId)
    if (!attribute) {
      checkReference(here, 'attribute', attributeId, index.attributes)
      continue
    }
    const position = (company.attributes ?? []).indexOf(attribute)
    const isRuleValid = place.at('attributes', position, 'values').isValid
    // A pattern that does not compile is reported once, at the pattern, and not at every value.
    const rule = orUndefined(() => valueRule((isRuleValid && attribute.values) || {}))
    for (const value of Object.keys(values)) {
      const problem = value === '' ? 'a value must not be empty' : rule?.(value)
      if (problem !== undefined) here.at(value).addAtKey(problem)
    }
  }
}

function checkDocumentTypes(company: CompanySetup, place: SetupPart, index: CompanyIndex): void {
  const here = place.at('documentTypes')
  checkUnique(here, company.documentTypes, 'id')
  for (const [number, type] of (company.documentTypes ?? []).entries()) {
    const indexes = here.at(number, 'indexes')
    checkUnique(indexes, type.indexes, 'sequenceNo')
    for (const [position, one] of (type.indexes ?? []).entries()) {
      checkReference(indexes.at(position, 'attributeId'), 'attribute', one.attributeId, index.attributes)
    }
  }
}
