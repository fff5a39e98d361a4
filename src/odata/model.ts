// The entity sets of a caller: the Enterprise Documents that its roles may read, under the names that OData allows.
// What a role hides is not there.
import type { Caller } from '../access/caller.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import { readableDefinition } from '../objects/readable.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { EntitySet } from './entity-set.ts'
import { named } from './named-definition.ts'
import { Identifiers } from './names.ts'

export interface ODataModel {
  readonly entitySets: ReadonlyMap<string, EntitySet>
}

/** The same object for the same definition, because plans are cached by it. */
const sets = new WeakMap<DocumentDefinition, Map<string, EntitySet>>()

/** The names of all entity sets, whoever asks. */
export function entitySetNames(documents: Iterable<EnterpriseDocument>): readonly string[] {
  const names = new Identifiers()
  return [...documents].map(({ common }) => names.take(common.name))
}

/** `documents`: those that the service has, in the same order each time. */
export function odataModel(caller: Caller, company: CompanyRules, documents: Iterable<EnterpriseDocument>): ODataModel {
  const names = new Identifiers()
  const entitySets = [...documents].flatMap((document): [string, EntitySet][] => {
    // Also of documents that the caller may not read: what others are called tells nothing.
    const name = names.take(document.common.name)
    const definition = readableDefinition(document, caller, company)
    return definition ? [[name, setOf(name, document, definition)]] : []
  })
  return { entitySets: new Map(entitySets) }
}

function setOf(name: string, document: EnterpriseDocument, definition: DocumentDefinition): EntitySet {
  const byName = sets.get(definition) ?? new Map<string, EntitySet>()
  sets.set(definition, byName)
  const set = byName.get(name) ?? { name, document, ...named(definition) }
  byName.set(name, set)
  return set
}
