// How far an issuer is trusted: which users its tokens may name, and in which companies they have permissions.
import type { UserDefinition } from './caller.ts'

/** An external issuer whose tokens are accepted. All settings but `companies` are required for a secure check. */
export interface TrustedIssuer {
  readonly issuer: string
  readonly audience: string
  /** The audience of tokens that open the tools of agents; absent: none does. */
  readonly mcpAudience?: string
  readonly keySet: string
  readonly algorithms: readonly string[]
  /** The claim that names the user. */
  readonly userClaim: string
  /** Limits the permissions of its callers to these companies. */
  readonly companies?: readonly string[]
  /** How people sign in to the console by it; absent: nobody does. */
  readonly signIn?: IssuerSignIn
}

/** The service as a client of an issuer (OpenID Connect). */
interface IssuerSignIn {
  /** As people call the issuer. */
  readonly name: string
  readonly clientId: string
  /** The environment variable that holds the client's secret; absent: the client is public. */
  readonly secretEnv?: string
  /** The address of the service's callback, as the issuer knows it. */
  readonly redirectUri: string
}

export type SignInIssuer = TrustedIssuer & { readonly signIn: IssuerSignIn }

/** Whether people sign in to the console by it. */
export const signsPeopleIn = (issuer: TrustedIssuer): issuer is SignInIssuer => issuer.signIn !== undefined

const MAX_SUBJECT_LENGTH = 255
/** Control characters and lone surrogates. */
const INVALID_CHARACTERS = /[\p{Cc}\p{Cs}]/u

/** Whether a subject can be stored and compared as text (OpenID Connect Core, 2: at most 255 characters). */
export function isValidSubject(subject: unknown): subject is string {
  return (
    typeof subject === 'string' &&
    subject !== '' &&
    subject.length <= MAX_SUBJECT_LENGTH &&
    !INVALID_CHARACTERS.test(subject)
  )
}

/**
 * Combines issuer and subject into a unique client id. It cannot equal the id of a client of the setup, which has no
 * colon.
 */
export function issuerClientId(issuer: string, subject: string): string {
  return `foreign:${issuer.replaceAll(/[%|]/g, encodeURIComponent)}|${subject}`
}

/** The client id of a person at the console. No client of the setup has a colon. */
export const personClientId = (userId: string): string => `console:${userId}`

/** The parts of such an id; undefined for a client of the setup. */
export function issuerAndSubject(clientId: string): { issuer: string; subject: string } | undefined {
  const [, issuer, subject] = /^foreign:([^|]*)\|(.*)$/s.exec(clientId) ?? []
  return issuer === undefined || subject === undefined ? undefined : { issuer: decodeURIComponent(issuer), subject }
}

/** Whether the issuer is bound to companies, or to the users that name it as their issuer. */
export function isBound({ issuer, companies }: TrustedIssuer, users: Iterable<UserDefinition>): boolean {
  if (companies !== undefined) return true
  for (const user of users) if (user.issuer === issuer) return true
  return false
}

/** Only its own issuer may name a user that has one. An issuer that is bound to users may name no others. */
export function mayName(issuer: TrustedIssuer, user: UserDefinition, users: Iterable<UserDefinition>): boolean {
  if (user.issuer !== undefined) return user.issuer === issuer.issuer
  return issuer.companies !== undefined || !isBound(issuer, users)
}

/**
 * The user with only the roles in the issuer's companies; undefined if there are none. A default company outside of
 * them is replaced by the first inside.
 */
export function confinedTo({ companies }: TrustedIssuer, user: UserDefinition): UserDefinition | undefined {
  if (companies === undefined) return user
  const roles = Object.entries(user.roles ?? {}).filter(([companyId]) => companies.includes(companyId))
  const ids = roles.map(([companyId]) => companyId)
  const [first] = ids
  if (first === undefined) return undefined
  const defaultCompany = ids.includes(user.defaultCompany) ? user.defaultCompany : first
  return { ...user, defaultCompany, roles: Object.fromEntries(roles), administrator: false }
}
