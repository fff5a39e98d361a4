// Checks the legal holds of companies: their filters must be valid for the document that they name.
import { rulesOfCompany } from '../apply/setup-items.ts'
import type { CompanySetup, Setup } from '../read/setup-schema.ts'
import type { SetupPath, YamlSource } from '../read/yaml-source.ts'
import { checkUnique } from './check.ts'
import { type FindDocument, problemOfFilter, SCHEMA_PARTS } from './role-restrictions.ts'

export function checkHolds({ companies = [] }: Setup, source: YamlSource, findBuiltIn: FindDocument): void {
  for (const [index, company] of companies.entries()) {
    const path = ['companies', index, 'holds']
    checkUnique(source, path, company.holds, ({ id }) => id, 'id')
    const isSound = SCHEMA_PARTS.every((part) => source.isValid(['companies', index, ...part]))
    const find = (name: string) => (isSound ? findBuiltIn(name, rulesOfCompany(company)) : undefined)
    for (const [at, hold] of (company.holds ?? []).entries()) checkHold(hold, [...path, at], source, find)
  }
}

function checkHold(
  { document, filter }: NonNullable<CompanySetup['holds']>[number],
  path: SetupPath,
  source: YamlSource,
  find: (name: string) => ReturnType<FindDocument>,
): void {
  if (filter === undefined || !source.isValid([...path, 'filter'])) return
  if (document === undefined) {
    source.add([...path, 'filter'], "a filter is of a document: the key 'document' is missing")
    return
  }
  const problem = problemOfFilter(filter, find(document))
  if (problem !== undefined) source.add([...path, 'filter'], problem)
}
