// A document as a caller sees it whose roles carry rules: hidden properties are not in it, so that nothing that works by
// the definition can tell them; which rows are there it says itself.
import { foldName } from '../base/text.ts'
import type { DocumentDefinition, Properties, Property } from './document.ts'

/** What some roles together let a caller see of one Enterprise Document. */
export interface DocumentRule {
  /** In the query language: a row is seen that meets any of them. Absent: all rows. */
  readonly filters: readonly string[] | undefined
  /** Properties that are not there: `invoice`, `payment/bankAccount`. In lower case. */
  readonly hidden: ReadonlySet<string>
}

/** By the name of the Enterprise Document. The same object stands for the same rules: what follows from it is kept by it. */
export type DocumentRules = ReadonlyMap<string, DocumentRule>

/** Of a document whose rows are not there at all. */
export const NO_ROWS: DocumentRule = { filters: [], hidden: new Set() }

/** The documents that associations of a document lead to, along however many of them. */
export function associatedWith({ properties }: Pick<DocumentDefinition, 'properties'>): readonly string[] {
  const known = associated.get(properties)
  if (known) return known
  const names = Object.values(properties).flatMap((property) => {
    if (property.kind === 'group') return associatedWith(property)
    return property.kind === 'association' ? [property.document.name, ...associatedWith(property.document)] : []
  })
  associated.set(properties, names)
  return names
}

const associated = new WeakMap<Properties, readonly string[]>()

const known = new WeakMap<DocumentDefinition, WeakMap<DocumentRules, DocumentDefinition>>()

/** The document under the rules; itself where they say nothing of it, nor of documents that it is associated with. */
export function restricted(definition: DocumentDefinition, rules: DocumentRules): DocumentDefinition {
  const made = known.get(definition)?.get(rules)
  if (made) return made
  const found = make(definition, rules)
  const byRules = known.get(definition) ?? new WeakMap<DocumentRules, DocumentDefinition>()
  known.set(definition, byRules.set(rules, found))
  return found
}

function make(definition: DocumentDefinition, rules: DocumentRules): DocumentDefinition {
  const rule = rules.get(definition.name)
  const properties = visible(definition.properties, '', rule?.hidden ?? NOTHING, rules)
  if (!rule) return properties === definition.properties ? definition : { ...definition, properties }
  return { ...definition, properties, restriction: { whole: definition, ...rule } }
}

const NOTHING: ReadonlySet<string> = new Set()

/** The same object when nothing of it is hidden. */
function visible(properties: Properties, above: string, hidden: ReadonlySet<string>, rules: DocumentRules): Properties {
  const all = Object.entries(properties)
  const left = all.flatMap(([name, property]): [string, Property][] => {
    const path = above + foldName(name)
    if (hidden.has(path)) return []
    const one = visibleProperty(property, path, hidden, rules)
    return one ? [[name, one]] : []
  })
  const isSame = left.length === all.length && left.every(([, property], at) => property === all[at]?.[1])
  return isSame ? properties : Object.fromEntries(left)
}

/** Nothing of a group of which nothing is left. Lists are hidden whole or not at all. */
function visibleProperty(
  property: Property,
  path: string,
  hidden: ReadonlySet<string>,
  rules: DocumentRules,
): Property | undefined {
  switch (property.kind) {
    case 'value':
    case 'list':
      return property
    case 'group': {
      const properties = visible(property.properties, `${path}/`, hidden, rules)
      if (properties === property.properties) return property
      return Object.keys(properties).length === 0 ? undefined : { ...property, properties }
    }
    case 'association': {
      const document = restricted(property.document, rules)
      return document === property.document ? property : { ...property, document }
    }
  }
}
