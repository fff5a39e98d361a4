// Authorisation: whether the caller has the route's permission in the company of the request.

import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { malformed, notAuthorised, unknownCompany } from '../../errors/catalogue.ts'
import type { Route } from '../router.ts'

/**
 * The company that the request acts in. Throws if the caller may not act there: exactly the same error as for a company
 * that does not exist, 403 or, on some routes, 422 (specification, authentication 5).
 */
export function authorise(
  caller: Caller,
  { permit, deniedMessage, reportsUnknownCompany }: Route,
  requested: string | undefined,
): string {
  const companyId = requested ?? caller.defaultCompany
  if (caller.may(companyId, permit)) return companyId
  if (reportsUnknownCompany && !caller.knows(companyId)) throw unknownCompany()
  throw notAuthorised(deniedMessage)
}

/** A POST may name its company in the query or in the body; throws 400 if the two differ (decision 1). */
export function requestedCompany(inQuery: string | undefined, body: JsonValue | undefined): string | undefined {
  const inBody = companyOf(body)
  if (inQuery !== undefined && inBody !== undefined && inQuery.toLowerCase() !== inBody.toLowerCase()) {
    throw malformed(`The companyId '${inQuery}' of the query and '${inBody}' of the body differ.`)
  }
  return inQuery ?? inBody
}

function companyOf(body: JsonValue | undefined): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const matches = Object.entries(body).filter(([name]) => name.toLowerCase() === 'companyid')
  // Two spellings of the name are an error even if the record has no such field: neither may win.
  if (matches.length > 1) throw malformed('The field companyId is given more than once.')
  const value = matches[0]?.[1] ?? ''
  if (value === '') return undefined
  if (typeof value !== 'string' && typeof value !== 'number') throw malformed('The field companyId must be a string.')
  return String(value)
}
