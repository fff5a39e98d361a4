// Authorisation: every route declares its permission, and the caller must have it in the company of the request.

import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { malformed, notAuthorised, unknownCompany } from '../../errors/catalogue.ts'
import { ANY_CALLER, type PathParams, permitOf, type Route, type RouteDeclaration } from '../route/route.ts'

const PERMISSION = /^[a-z-]+:(create|read|update|delete|export)$/

/** Denies by default: throws for a route without access, so that the service does not start. */
export function requirePermission({ permit, isPublic }: RouteDeclaration, route: string): void {
  if (isPublic || permit === ANY_CALLER || typeof permit === 'function' || PERMISSION.test(permit ?? '')) return
  throw new Error(`the route ${route} declares no permission`)
}

/** Throws if there is no such resource, or the caller lacks the permission in every company. */
export function requirePossible(caller: Caller, route: Route, params: PathParams, path: string): void {
  const { deniedMessage, requireResource } = route
  requireResource?.(params, path)
  const permit = permitOf(route, params)
  if (permit === ANY_CALLER || caller.mayAnywhere(permit)) return
  throw notAuthorised(`no role of the caller has ${permit}`, deniedMessage)
}

/**
 * The company that the request acts in. Throws if the caller may not act there: exactly the same error as for a company
 * that does not exist, 403 or, on some routes, 422 (specification, authentication 5).
 */
export function authorise(caller: Caller, route: Route, params: PathParams, requested: string | undefined): string {
  const { deniedMessage, reportsUnknownCompany } = route
  const permit = permitOf(route, params)
  const companyId = requested ?? caller.defaultCompany
  if (permit === ANY_CALLER) {
    // Without a role in its own company a caller is told so.
    if (requested === undefined || caller.knows(companyId)) return companyId
  } else if (caller.may(companyId, permit)) return companyId
  if (caller.knows(companyId)) throw notAuthorised(`no role of the caller in the company has ${permit}`, deniedMessage)
  throw reportsUnknownCompany ? unknownCompany() : notAuthorised('the caller has no role in the company', deniedMessage)
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
