// One question to one Enterprise Document: options to plan, plan to answer.
import type { Caller } from '../access/caller.ts'
import { andWhile, type Validity } from '../base/validity.ts'
import { invalidOption, notAuthorised } from '../errors/catalogue.ts'
import type { Call } from '../http/edge.ts'
import { truncated } from '../http/next-page.ts'
import type { QueryPairs } from '../http/query-string.ts'
import { unlessUnchanged } from '../http/repeats.ts'
import type { Reply } from '../http/send.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { associatedWith, restricted } from '../model/restricted.ts'
import { type Planned, planOf } from '../query/known-plans.ts'
import { MAX_LIMIT } from '../query/options.ts'
import { QueryError } from '../query/query-error.ts'
import { schemaOfAnswer } from '../query/schema-of.ts'
import type { Companies } from '../setup/companies.ts'
import type { CompanyRules } from '../setup/rules.ts'
import {
  answerCollection,
  type CollectionWish,
  countCollection,
  validityOfAnswer,
  validityOfCount,
} from '../store/collection.ts'
import type { Scope, Store } from '../store/store.ts'
import { CONTENT_TYPES, languagesOf, wantedBy } from './accept.ts'
import type { EnterpriseDocument } from './enterprise-document.ts'

export interface ObjectService {
  readonly store: Store
  readonly companies: Companies
}

interface Asked extends Planned {
  readonly company: CompanyRules
  readonly definition: DocumentDefinition
  readonly scope: Scope
}

/** The records that the options ask for, in the form that `Accept` asks for. */
export async function queryDocument(service: ObjectService, document: EnterpriseDocument, call: Call): Promise<Reply> {
  const { company, definition, options, plan, scope } = readCall(service, document, call)
  const wanted = wantedBy(call.accept)
  const headers = { 'content-type': CONTENT_TYPES[wanted] }
  if (wanted === 'schema') return { status: 200, headers, body: JSON.stringify(schemaOfAnswer(plan, company)) }

  const mayExport = wanted !== 'json' && call.caller.mayQuery(company.id, 'export', definition.name)
  const wish: CollectionWish = {
    companyId: company.id,
    plan,
    scope,
    language: company.valueLists.languageFor(languagesOf(call.acceptLanguage)),
    format: wanted,
    cap: mayExport ? undefined : MAX_LIMIT,
    asker: call.asker,
  }
  const validity = await lasting(document, company, () => validityOfAnswer(service.store, wish))
  return unlessUnchanged(call, validity, async () => {
    const { body, isCut } = await answerCollection(service.store, wish)
    if (!isCut) return { status: 200, headers, body }
    const next = truncated(call.path, call.query, options.offset + MAX_LIMIT)
    return { status: 200, headers: { ...headers, ...next }, body }
  })
}

/** How many records the same filter would answer. A limit or an offset makes no sense here: 400 (decision 6). */
export async function countDocument(service: ObjectService, document: EnterpriseDocument, call: Call): Promise<Reply> {
  const { company, options, plan, scope } = readCall(service, document, call)
  if (options.limit !== undefined || options.offset !== 0) {
    throw invalidOption('A count takes no limit and no offset.')
  }
  const wish = { companyId: company.id, plan, scope, asker: call.asker }
  const validity = await lasting(document, company, () => validityOfCount(service.store, wish))
  return unlessUnchanged(call, validity, async () => {
    const total = await countCollection(service.store, wish)
    return { status: 200, headers: { 'x-erp-total-count': String(total) } }
  })
}

type Found = Validity | undefined

/** How long an answer from the document holds: nothing tells when rows of somebody else change. */
async function lasting(
  document: EnterpriseDocument,
  company: CompanyRules,
  validityOf: () => Found | Promise<Validity>,
): Promise<Found> {
  const validity = document.common.isForeign ? undefined : await validityOf()
  const { timeOf } = document
  return validity && timeOf ? andWhile(validity, () => timeOf(company)) : validity
}

function readCall({ companies }: ObjectService, document: EnterpriseDocument, call: Call): Asked {
  const company = companies.require(call.companyId)
  const whole = document.of(company)
  requireReadable(call.caller, company.id, whole.name)
  const rules = call.caller.rulesForQuery(company.id, whole.name, associatedWith(whole))
  const definition = rules ? restricted(whole, rules) : whole
  const planned = planOrRefuse(definition, call.query)
  const more = document.scopeOf?.(call.query, planned.plan) ?? []
  return { company, definition, scope: [[definition.companyColumn, company.id], ...more], ...planned }
}

function requireReadable(caller: Caller, companyId: string, document: string): void {
  if (!caller.mayQuery(companyId, 'read', document)) throw notAuthorised()
}

/** A query that is wrong is 400, code 1020, with the position (decision 6). */
function planOrRefuse(definition: DocumentDefinition, query: QueryPairs): Planned {
  try {
    return planOf(definition, query)
  } catch (error) {
    if (error instanceof QueryError) throw invalidOption(error.message)
    throw error
  }
}
