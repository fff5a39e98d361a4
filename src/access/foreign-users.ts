// How far a foreign issuer is trusted: which users its tokens may name, and in which companies they have rights.
import type { UserDefinition } from './caller.ts'
import type { TrustedIssuer } from './directory.ts'

const LONGEST_SUBJECT = 255
const UNFIT = /[\p{Cc}\p{Cs}]/u

/** Whether a subject can be kept and compared as the text that it is (OpenID Connect Core, 2: at most 255 characters). */
export function isFitSubject(subject: unknown): subject is string {
  return typeof subject === 'string' && subject !== '' && subject.length <= LONGEST_SUBJECT && !UNFIT.test(subject)
}

/**
 * Issuer and subject as one text, in place of a client id: no two callers share one, and no client of a setup has a colon in
 * its id.
 */
export function foreignClientId(issuer: string, subject: string): string {
  return `foreign:${issuer.replaceAll(/[%|]/g, encodeURIComponent)}|${subject}`
}

/** Bound to companies, or to the users that name it as theirs. */
export function isBound({ issuer, companies }: TrustedIssuer, users: Iterable<UserDefinition>): boolean {
  if (companies !== undefined) return true
  for (const user of users) if (user.issuer === issuer) return true
  return false
}

/** A user of an issuer is named by that one alone; an issuer that is bound to users names those alone. */
export function mayName(issuer: TrustedIssuer, user: UserDefinition, users: Iterable<UserDefinition>): boolean {
  if (user.issuer !== undefined) return user.issuer === issuer.issuer
  return issuer.companies !== undefined || !isBound(issuer, users)
}

/**
 * The user with the rights that are left in the companies of the issuer; nothing where none is left. A default company
 * that is none of them gives way to the first that is.
 */
export function confinedTo({ companies }: TrustedIssuer, user: UserDefinition): UserDefinition | undefined {
  if (companies === undefined) return user
  const roles = Object.entries(user.roles ?? {}).filter(([companyId]) => companies.includes(companyId))
  const ids = roles.map(([companyId]) => companyId)
  const [first] = ids
  if (first === undefined) return undefined
  const defaultCompany = ids.includes(user.defaultCompany) ? user.defaultCompany : first
  return { ...user, defaultCompany, roles: Object.fromEntries(roles) }
}
