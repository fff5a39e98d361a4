// The entity sets of a caller: the Enterprise Documents that its roles may read, under the names that OData allows.
// What a role hides is not there.

import type { Caller } from '../../access/caller.ts'
import { memo } from '../../base/memo.ts'
import { type DocumentDefinition, isLines, type Property } from '../../model/document.ts'
import { unfolded } from '../../model/unfolded.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import { readableDefinition } from '../../objects/readable.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { EntitySet } from './entity-set.ts'
import { Identifiers, named } from './named-definition.ts'

export interface ODataModel {
  readonly entitySets: ReadonlyMap<string, EntitySet>
}

/** The same object for the same definition, because plans are cached by it. */
const setsByNames = memo((_definition: DocumentDefinition) => new Map<string, EntitySet>())

/** The names of all entity sets, whoever asks. */
export function entitySetNames(documents: Iterable<EnterpriseDocument>): readonly string[] {
  return namesOf(documents).flatMap(({ name, lists }) => [name, ...lists.values()])
}

/** `documents`: those that the service has, in the same order each time. */
export function odataModel(caller: Caller, company: CompanyRules, documents: Iterable<EnterpriseDocument>): ODataModel {
  const entitySets = namesOf(documents).flatMap(({ document, name, lists }): EntitySet[] => {
    const definition = readableDefinition(document, caller, company)
    return definition ? setsOf(document, name, lists, definition) : []
  })
  return { entitySets: new Map(entitySets.map((set) => [set.name, set])) }
}

interface Names {
  readonly document: EnterpriseDocument
  readonly name: string
  /** The names of the entity sets of its lists, by the names of the lists. */
  readonly lists: ReadonlyMap<string, string>
}

/** Also of documents that the caller may not read: what others are called tells nothing. */
function namesOf(documents: Iterable<EnterpriseDocument>): readonly Names[] {
  const names = new Identifiers()
  const all = [...documents].map((document) => ({ document, name: names.take(document.common.name) }))
  return all.map(({ document, name }) => {
    const lists = Object.entries(document.common.properties).filter(([, property]) => isOwnList(property))
    return { document, name, lists: new Map(lists.map(([list]) => [list, names.take(`${name}_${list}`)])) }
  })
}

/** Lines are in the entity set of their own document. */
function isOwnList(property: Property): boolean {
  return property.kind === 'list' && !isLines(property)
}

function setsOf(
  document: EnterpriseDocument,
  name: string,
  listNames: Names['lists'],
  definition: DocumentDefinition,
): EntitySet[] {
  const ownLists = Object.entries(definition.properties).filter(([, property]) => isOwnList(property))
  // In the same order, under names that may differ.
  const navigated = [...named(definition).navigation].filter(([, { property }]) => isOwnList(property))
  const lists = new Map<string, EntitySet>()
  const items = ownLists.flatMap(([list], at): EntitySet[] => {
    const [navigation, setName, rows] = [navigated[at]?.[0], listNames.get(list), unfolded(definition, list)]
    if (navigation === undefined || setName === undefined || !rows) return []
    const set = setOf(setName, document, rows, NO_LISTS)
    lists.set(navigation, set)
    return [set]
  })
  return [setOf(name, document, definition, lists), ...items]
}

const NO_LISTS: ReadonlyMap<string, EntitySet> = new Map()

function setOf(
  name: string,
  document: EnterpriseDocument,
  definition: DocumentDefinition,
  lists: ReadonlyMap<string, EntitySet>,
): EntitySet {
  const key = [name, ...[...lists.values()].map((items) => items.name)].join(' ')
  const byNames = setsByNames(definition)
  const set = byNames.get(key) ?? { name, document, ...named(definition), lists }
  byNames.set(key, set)
  return set
}
