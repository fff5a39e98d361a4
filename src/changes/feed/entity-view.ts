// What one caller is told of the records of an entity: which it may see, and what of them.

import { LRUCache } from 'lru-cache'
import type { Caller } from '../../access/caller.ts'
import { memo } from '../../base/memo.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { associatedWith, type DocumentRules, restricted } from '../../model/restricted.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import { asksOthers } from '../../query/mentions.ts'
import { QueryError } from '../../query/parse/query-error.ts'
import { type Plan, planCollection } from '../../query/plan.ts'
import type { JournaledKind } from '../../records/kinds/kind.ts'
import { RecordAccess } from '../../records/shared/record-access.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { StatesQuery } from '../../sql/compile/compile-states.ts'
import { membersOf, type RecordMembers } from '../record-members.ts'
import { asksForStamp } from './stamps.ts'

export interface EntityView {
  readonly kind: JournaledKind
  /** What hides members of the records. */
  readonly access: RecordAccess
  /** Whether the caller is shown when a record was changed, which texts of some kinds do not have. */
  readonly showsLastUpdated: boolean
  /** Asks which states the caller may see; undefined if it is all of them. */
  readonly conditions: StatesQuery | undefined
  /** Whether one of its queries asks when a record was last changed. */
  readonly asksForStamp: boolean
  /** Asks for the selected properties; undefined if a record is told as GET answers it. */
  readonly selection: StatesQuery | undefined
  /** What a record that is told so has besides the members that the log has; undefined if nothing. */
  readonly members: RecordMembers | undefined
  /** Asks for these members. */
  readonly asksMembers: StatesQuery | undefined
}

export interface ViewRequest {
  readonly filter: string | undefined
  readonly select: string | undefined
  /** The language of descriptions. */
  readonly language: string
}

/** The rules of the caller for queries of a document, with those for the documents that it is associated with. */
export function rulesOf(
  caller: Caller,
  company: CompanyRules,
  document: DocumentDefinition,
): DocumentRules | undefined {
  return caller.rulesForQuery(company.id, document.name, associatedWith(document))
}

/** Views of a document under the same rules, by what is asked. */
const VIEWS = { max: 200, maxSize: 100_000, sizeCalculation: (_: EntityView, key: string) => key.length }
const viewsOf = memo((_definition: DocumentDefinition) => new LRUCache<string, EntityView>(VIEWS))

/** The view of an entity. Throws 400 for a filter or a select that is not valid for it. */
export function entityView(
  kind: JournaledKind,
  document: EnterpriseDocument,
  company: CompanyRules,
  rules: DocumentRules | undefined,
  request: ViewRequest,
): EntityView {
  const whole = document.of(company)
  const definition = rules ? restricted(whole, rules) : whole
  const known = viewsOf(definition)
  const key = JSON.stringify([kind.name, request.filter, request.select, request.language])
  let view = known.get(key)
  if (!view || view.kind !== kind) {
    view = viewOf(kind, document, company, definition, request)
    known.set(key, view)
  }
  return view
}

function viewOf(
  kind: JournaledKind,
  document: EnterpriseDocument,
  company: CompanyRules,
  definition: DocumentDefinition,
  { filter, select, language }: ViewRequest,
): EntityView {
  if (select !== undefined && kind.name !== kind.document) {
    throw invalidOption(`The option select cannot be used with ${kind.name}, which are told as they are answered.`)
  }
  const plan = planOrReject(definition, filter, select)
  // The log has the changes of a record, not those of the records that it refers to.
  if (asksOthers(plan.requestedFilter))
    throw invalidOption(
      `The filter asks of ${kind.name} what other records have, along an association: no feed tells when these change.`,
    )
  // What parameters of the endpoint would choose from, such as the states of transactions, is told altogether.
  const scope = document.parameters ? [] : (document.scopeOf?.([], plan) ?? [])
  const query = { definition, language, scope: [], filter: undefined, select: [] }
  const conditions = plan.filter || scope.length > 0 ? { ...query, filter: plan.filter, scope } : undefined
  const selection = select === undefined ? undefined : { ...query, select: plan.select }
  const members = selection || kind.name !== kind.document ? undefined : membersOf(kind, company, definition)
  return {
    kind,
    access: new RecordAccess(definition),
    showsLastUpdated: definition.properties.lastUpdated !== undefined && (!selection || asksForStamp(selection)),
    conditions,
    selection,
    members,
    asksMembers: members && { ...query, select: members.plan.select },
    asksForStamp: [conditions, selection].some((one) => one && asksForStamp(one)),
  }
}

function planOrReject(definition: DocumentDefinition, filter: string | undefined, select: string | undefined): Plan {
  try {
    return planCollection(definition, { filter, select, orderBy: undefined, offset: 0, limit: undefined })
  } catch (error) {
    if (error instanceof QueryError) throw invalidOption(error.message, error.reason, error.parts)
    throw error
  }
}
