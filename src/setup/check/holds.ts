// Checks the legal holds of companies: the documents that they name must have records to hold, and their filters be
// valid for them.

import type { DocumentDefinition } from '../../model/document.ts'
import { BUILT_IN_NAMES } from '../../model/records/built-in.ts'
import { isUnknown } from '../file/repair.ts'
import type { CompanySetup, Setup } from '../file/setup-schema.ts'
import type { SetupPart, YamlSource } from '../file/yaml-source.ts'
import { declaredRecordsOf } from '../rules/declared-record.ts'
import { checkUnique } from './check.ts'
import { type FindDocument, findOf, problemOfFilter } from './role-restrictions.ts'

/** The built-in documents whose records are purged and erased. */
const HELD_DOCUMENTS = ['attribute-values', ...BUILT_IN_NAMES, 'document-archive']

interface Holdable {
  readonly names: readonly string[]
  find(name: string): DocumentDefinition | undefined
}

export function checkHolds(setup: Setup, source: YamlSource, findBuiltIn: FindDocument): void {
  const own = ownDocuments(setup, source)
  for (const [index, company] of (setup.companies ?? []).entries()) {
    const place = source.at('companies', index, 'holds')
    checkUnique(place, company.holds, 'id')
    const builtIn = findOf(company, source.at('companies', index), findBuiltIn)
    const holdable = {
      names: [...HELD_DOCUMENTS, ...own.names],
      find: (name: string) => own.find(name) ?? builtIn(name),
    }
    for (const [at, hold] of (company.holds ?? []).entries()) checkHold(hold, place.at(at), holdable)
  }
}

function ownDocuments({ documents = [] }: Setup, source: YamlSource): Holdable {
  const own = documents.filter(({ table }) => table === undefined)
  const records = declaredRecordsOf(
    own.filter((document) => source.at('documents', documents.indexOf(document)).isValid),
  )
  return { names: own.map(({ name }) => name), find: (name) => records.get(name)?.record.document }
}

function checkHold(
  { document, filter }: NonNullable<CompanySetup['holds']>[number],
  place: SetupPart,
  { names, find }: Holdable,
): void {
  if (document !== undefined && !names.includes(document) && ![document, ...names].some(isUnknown)) {
    place.at('document').add(`expected one of ${names.join(', ')}`)
  }
  if (filter === undefined || !place.at('filter').isValid) return
  if (document === undefined) {
    place.at('filter').add("a filter is of a document: the key 'document' is missing")
    return
  }
  const problem = problemOfFilter(filter, find(document))
  if (problem !== undefined) place.at('filter').add(problem)
}
