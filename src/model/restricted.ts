// Restricts a document by the rules of a caller's roles. Hidden properties are removed from the definition, so that
// code that uses the definition cannot disclose them. The rule for visible rows becomes part of the definition.
import { memo } from '../base/memo.ts'
import { foldName } from '../base/text.ts'
import {
  type DocumentDefinition,
  isLines,
  type Properties,
  type Property,
  type Term,
  withDocument,
} from './document.ts'

/** The combined access of some roles to one Enterprise Document. */
export interface DocumentRule {
  /** Filters in the query language: rows that meet at least one are visible. Undefined if all rows are. */
  readonly filters: readonly string[] | undefined
  /** Paths of hidden properties in lower case, such as `invoice` or `payment/bankaccount`. */
  readonly hidden: ReadonlySet<string>
}

/**
 * Rules by the name of the Enterprise Document. Equal rules must be the same object, because results are cached by it.
 */
export type DocumentRules = ReadonlyMap<string, DocumentRule>

/** Hides all rows of a document. */
export const NO_ROWS: DocumentRule = { filters: [], hidden: new Set() }

/** The names of the documents that a document is associated with or has lines of, directly or indirectly. */
export function associatedWith({ properties }: Pick<DocumentDefinition, 'properties'>): readonly string[] {
  return associated(properties)
}

const associated = memo((properties: Properties): readonly string[] => {
  const names = new Set<string>()
  addAssociated(properties, names)
  return [...names]
})

const NO_DOCUMENT = { document: undefined }

/** Documents may be associated in circles, and with themselves. */
function addAssociated(properties: Properties, names: Set<string>): void {
  for (const property of Object.values(properties)) {
    if (property.kind === 'group') addAssociated(property.properties, names)
    const { document } = property.kind === 'association' ? property : isLines(property) ? property.from : NO_DOCUMENT
    if (!document || names.has(document.name)) continue
    names.add(document.name)
    addAssociated(document.properties, names)
  }
}

const restrictions = memo((definition: DocumentDefinition) =>
  memo((rules: DocumentRules) => restrict(definition, rules)),
)

/** The document under the rules; the same object if the rules affect neither it nor its associated documents. */
export function restricted(definition: DocumentDefinition, rules: DocumentRules): DocumentDefinition {
  return restrictions(definition)(rules)
}

function restrict(definition: DocumentDefinition, rules: DocumentRules): DocumentDefinition {
  if (!isAffected(definition, rules)) return definition
  const rule = rules.get(definition.name)
  const properties = visible(definition.properties, '', rule?.hidden ?? NONE, rules)
  const computed = hiddenComputed(definition, properties)
  if (!rule && computed.length === 0) return { ...definition, properties }
  const hidden = computed.length === 0 && rule ? rule.hidden : new Set([...(rule?.hidden ?? []), ...computed])
  return { ...definition, properties, restriction: { whole: definition, filters: rule?.filters, hidden } }
}

/** Computed properties that are hidden with what they are computed of: answers that are kept may have them. */
function hiddenComputed(whole: DocumentDefinition, properties: Properties): string[] {
  return Object.entries(whole.properties).flatMap(([name, property]) => {
    const isComputed = property.kind === 'value' && 'computed' in property.source
    return isComputed && !Object.hasOwn(properties, name) ? [foldName(name)] : []
  })
}

function isAffected(definition: DocumentDefinition, rules: DocumentRules): boolean {
  return rules.has(definition.name) || associatedWith(definition).some((name) => rules.has(name))
}

const NONE: ReadonlySet<string> = new Set()

/** The visible properties; the same object if none is hidden. */
function visible(properties: Properties, above: string, hidden: ReadonlySet<string>, rules: DocumentRules): Properties {
  const all = Object.entries(properties)
  const remaining = all.flatMap(([name, property]): [string, Property][] => {
    const path = above + foldName(name)
    if (hidden.has(path)) return []
    const one = visibleProperty(property, path, hidden, rules)
    return one ? [[name, one]] : []
  })
  const isSame = remaining.length === all.length && remaining.every(([, property], at) => property === all[at]?.[1])
  return isSame ? properties : Object.fromEntries(remaining)
}

/**
 * The visible part of a property; undefined for a group without visible properties, and for what is computed of
 * anything that is not visible. Lists are hidden completely or not at all.
 */
function visibleProperty(
  property: Property,
  path: string,
  hidden: ReadonlySet<string>,
  rules: DocumentRules,
): Property | undefined {
  switch (property.kind) {
    case 'value': {
      const { source } = property
      return 'computed' in source && !seesAllOf(source.computed, hidden, rules) ? undefined : property
    }
    case 'list':
      return isLines(property) && isAffected(property.from.document, rules)
        ? withDocument(property, (document) => restricted(document, rules))
        : property
    case 'group': {
      const properties = visible(property.properties, `${path}/`, hidden, rules)
      if (properties === property.properties) return property
      return Object.keys(properties).length === 0 ? undefined : { ...property, properties }
    }
    case 'association': {
      const { document } = property
      if (!isAffected(document, rules)) return property
      // When it is asked for, because associations may lead back here.
      return {
        ...property,
        get document() {
          return restricted(document, rules)
        },
      }
    }
  }
}

/** Whether all that a value is computed of is visible: a part of the lines would make another sum. */
function seesAllOf(term: Term, hidden: ReadonlySet<string>, rules: DocumentRules): boolean {
  switch (term.kind) {
    case 'literal':
      return true
    case 'call':
      return term.args.every((arg) => seesAllOf(arg, hidden, rules))
    case 'property':
      return (
        !isHidden(term.path, hidden) && (!('computed' in term.source) || seesAllOf(term.source.computed, hidden, rules))
      )
    case 'lines': {
      const rule = isLines(term.lines) ? rules.get(term.lines.from.document.name) : undefined
      if (isHidden(term.path, hidden) || rule?.filters) return false
      return !term.sumOf || !rule || seesAllOf(term.sumOf, rule.hidden, rules)
    }
  }
}

/** Whether a property, or the group that has it, is hidden. */
function isHidden(path: string, hidden: ReadonlySet<string>): boolean {
  return hidden.has(path) || hidden.has(path.split('/')[0] ?? '')
}
