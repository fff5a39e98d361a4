// Whether the caller may do this in the company that the request is about.

import type { Caller, Permission } from '../access/caller.ts'
import type { JsonValue } from '../base/strict-json.ts'
import { malformed, notAuthorised, unknownCompany } from '../errors/catalogue.ts'

/**
 * The company that the request acts in, when the caller may do so. A company of somebody else is refused exactly as
 * one that does not exist: 403, on PATCH 422 but for customers (specification, authentication 5).
 */
export function authorise(caller: Caller, permit: Permission, asked: string | undefined, method: string): string {
  const companyId = asked ?? caller.defaultCompany
  if (caller.may(companyId, permit)) return companyId
  const tellsUnknown = method === 'PATCH' && !permit.startsWith('customers:')
  if (tellsUnknown && !caller.knows(companyId)) throw unknownCompany()
  throw notAuthorised(permit)
}

/** A POST may name its company in the query or in the body; two that differ are refused (decision 1). */
export function companyAskedFor(inQuery: string | undefined, body: JsonValue | undefined): string | undefined {
  const inBody = companyOf(body)
  if (inQuery !== undefined && inBody !== undefined && inQuery.toLowerCase() !== inBody.toLowerCase()) {
    throw malformed(`The companyId '${inQuery}' of the query and '${inBody}' of the body differ.`)
  }
  return inQuery ?? inBody
}

function companyOf(body: JsonValue | undefined): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const given = Object.entries(body).filter(([name]) => name.toLowerCase() === 'companyid')
  // Neither may win, also where no other field of the record has this name.
  if (given.length > 1) throw malformed('The field companyId is given more than once.')
  const value = given[0]?.[1] ?? ''
  if (value === '') return undefined
  if (typeof value !== 'string' && typeof value !== 'number') throw malformed('The field companyId must be a string.')
  return String(value)
}
