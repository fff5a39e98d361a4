// Who has signed in, and what he or she may.
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams, useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Client, Problem } from '#client'
import { t } from '../words/words.ts'
import { BASE_PATH } from './base-path.ts'
import { clientFor, fetchJson, fetchService } from './client.ts'
import type { Figure } from './figures.ts'
import type { CompanySource } from './mirror.ts'
import { forgetCopies } from './preferences.ts'

export interface SessionCompany {
  readonly id: string
  readonly name?: string
  /** The colour of the console, such as `blue`. */
  readonly accent?: string
  /** What it shows on Home. */
  readonly figures?: readonly Figure[]
  /** Such as `customers:read` and `objects:read/customers`. */
  readonly permissions: readonly string[]
  /** The ERP system that the company is a mirror of. */
  readonly source?: CompanySource
}

export interface Session {
  readonly user: string
  readonly name?: string
  /** Whether the person administers the service, with all its companies. */
  readonly administrator: boolean
  /** The companies whose people and clients the person administers, where it is not the service. */
  readonly administers?: readonly string[]
  readonly defaultCompany: string
  readonly companies: readonly SessionCompany[]
  readonly expiresAt: string
  readonly actingAs?: string
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await fetchJson<Session>('/console/api/session')
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null
      throw error
    }
  },
  staleTime: 60_000,
})

/** Below the routes that need a session. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (!data) throw new Error(t('There is no session.'))
  return data
}

/** Undefined until it is known, null without one. */
export const useSessionIfAny = (): Session | null | undefined => useQuery(sessionQuery).data

/** The company in the address. */
export function useCompany(): SessionCompany {
  const { company } = useParams({ strict: false }) as { company?: string }
  return companyOf(useSession(), company)
}

/** The accent of the company that is seen. Nobody has one without a session. */
export function useAccent(): string | undefined {
  const company = useRouterState({
    select: ({ matches }) => (matches.at(-1)?.params as { company?: string } | undefined)?.company,
  })
  const session = useSessionIfAny()
  return session ? companyOf(session, company).accent : undefined
}

function companyOf({ companies, defaultCompany }: Session, id = defaultCompany): SessionCompany {
  return (
    companies.find((other) => other.id.toLowerCase() === id.toLowerCase()) ?? companies[0] ?? { id, permissions: [] }
  )
}

/** The typed client for the company in the address. */
export function useService(): Client {
  const { id } = useCompany()
  return useMemo(() => clientFor(id), [id])
}

/** Whether the caller may do something in the company in the address, such as `customers:update`. */
export function useMay(): (permission: string) => boolean {
  const { permissions, source } = useCompany()
  const { actingAs } = useSession()
  return (permission) =>
    (permissions.includes(permission) || permissions.includes(permission.replace(/\/.*$/, '/*'))) &&
    (READING.test(permission) || (actingAs === undefined && isWritten(source, permission)))
}

const READING = /:(?:read|export)/
/** Needs what does not go through a mirror: a file, or the state that a change is made of. */
const NOT_FORWARDED = /^documents:|:update/

/** Whether the company takes such a write: its own, or one that goes on to its ERP system. */
function isWritten(source: CompanySource | undefined, permission: string): boolean {
  if (!source || permission.startsWith('subscriptions:')) return true
  return source.writes === 'forward' && !NOT_FORWARDED.test(permission)
}

/** Ends the session, and leads to the page to sign in. */
export async function signOut(): Promise<void> {
  await fetchService('/console/api/session', { method: 'DELETE' })
  sessionStorage.clear()
  forgetCopies()
  location.assign(`${BASE_PATH}/console/sign-in`)
}
