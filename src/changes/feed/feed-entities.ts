// The entities of a feed: those that a request names, or all that the caller may read.
import { hash } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'
import { nearestName, shortened } from '../../base/text.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import { type DocumentRules, restricted } from '../../model/restricted.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import { requireReadable } from '../../objects/query-document.ts'
import { asksOthers } from '../../query/mentions.ts'
import { rowRuleOf } from '../../query/row-rule.ts'
import type { JournaledKind } from '../../records/kinds/kind.ts'
import { kindsOf } from '../../records/kinds/kinds.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { rulesOf } from './entity-view.ts'

export interface FeedEntity {
  readonly kind: JournaledKind
  readonly document: EnterpriseDocument
  readonly rules: DocumentRules | undefined
}

export interface FeedEntities {
  readonly covered: readonly FeedEntity[]
  /** The other Enterprise Documents that the caller may read: what changes, or when it is seen, is not recorded. */
  readonly notCovered: readonly string[]
}

/**
 * The entities that a caller reads. Throws 400 for a name that is none, and 403 for one that the caller may not read.
 */
export function feedEntities(
  documents: readonly EnterpriseDocument[],
  caller: Caller,
  company: CompanyRules,
  names: readonly string[] | undefined,
): FeedEntities {
  const byName = new Map(documents.map((document) => [document.common.name, document]))
  const kinds = kindsOf(documents)
  const entityOf = (kind: JournaledKind): FeedEntity[] => {
    const document = byName.get(kind.document)
    const found = document && { kind, document, rules: rulesOf(caller, company, document.of(company)) }
    if (!found || !isSeenByOthers(found, company)) return found ? [found] : []
    if (names === undefined) return []
    throw invalidOption(`Which ${kind.document} the client sees depends on what they refer to: no feed covers them.`)
  }
  const isReadable = (document: string) => caller.mayQuery(company.id, 'read', document)
  const wanted = names
    ? new Set(names.map((name) => requireKind(name, kinds, byName)))
    : [...kinds.values()].filter(({ document }) => isReadable(document))
  for (const { document } of wanted) requireReadable(caller, company.id, document)
  const covered = [...wanted].flatMap(entityOf)
  const isCovered = (name: string) => kinds.has(name) && (names || covered.some(({ kind }) => kind.name === name))
  return { covered, notCovered: [...byName.keys()].filter((name) => !isCovered(name) && isReadable(name)) }
}

/** Whether the row rule asks what other records have: a change of theirs moves a record in and out, and none tells. */
function isSeenByOthers({ document, rules }: FeedEntity, company: CompanyRules): boolean {
  return rules !== undefined && asksOthers(rowRuleOf(restricted(document.of(company), rules)))
}

function requireKind(
  name: string,
  kinds: ReadonlyMap<string, JournaledKind>,
  documents: ReadonlyMap<string, EnterpriseDocument>,
): JournaledKind {
  const kind = kinds.get(name)
  if (kind) return kind
  if (documents.has(name)) throw invalidOption(`The changes of ${name} are not recorded: no feed covers them.`)
  const nearest = nearestName(name, [...kinds.keys()])
  throw invalidOption(`Unknown entity '${shortened(name)}'${nearest ? `; did you mean '${nearest}'?` : '.'}`)
}

/** A hash of what the caller may see of the entities. */
export function hashOfRights(covered: readonly FeedEntity[]): string {
  const rights = covered.map(({ kind, rules }) => [
    kind.name,
    [...(rules ?? [])].map(([document, { filters, hidden }]) => [document, filters ?? null, [...hidden].sort()]),
  ])
  return hash('sha256', JSON.stringify(rights), 'base64url')
}
