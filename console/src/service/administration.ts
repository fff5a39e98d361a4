// What administrators ask and change of the service itself.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clientFor, fetchJson } from './client.ts'

/** Company -> ids of roles there. */
export type Roles = Readonly<Record<string, readonly string[]>>

export interface Person {
  readonly id: string
  readonly name: string
  readonly disabled: boolean
  readonly administrator: boolean | readonly string[]
  readonly hasPassword: boolean
  readonly issuer: string | null
  readonly defaultCompany: string
  readonly roles: Roles
}

export interface Role {
  readonly id: string
  /** API -> operations. */
  readonly apis: Roles
  /** Documents that may be queried; `*` is all. */
  readonly objects: readonly string[]
  /** Documents of which something is left out. */
  readonly restricted: readonly string[]
}

export interface People {
  readonly people: readonly Person[]
  readonly roles: readonly Role[]
  readonly companies: readonly { readonly id: string; readonly name: string }[]
}

export interface ServiceClient {
  readonly id: string
  readonly user: string
  readonly isDisabled: boolean
  /** Empty for a secret without an end. */
  readonly secretsUntil: readonly string[]
  readonly roles: Roles
  readonly companies: readonly { readonly id: string; readonly permissions: readonly string[] }[]
}

const PATH = '/console/api/administration'

export const administrationPath = (path: string): string => PATH + path

export const administrationQuery = <Answer>(path: string) =>
  queryOptions({ queryKey: ['administration', path], queryFn: () => fetchJson<Answer>(PATH + path) })

export const usePeople = () => useQuery(administrationQuery<People>('/people'))

/** What a change answers: a secret is told there and nowhere else. */
export interface Changed {
  readonly password?: string
  readonly secret?: string
  readonly previousUntil?: string
}

export interface ServiceChange {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
}

/** A change of people, clients or the setup; what is shown of them is asked for again. */
export function useServiceChange(onSuccess?: (changed: Changed) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ method, path, body }: ServiceChange): Promise<Changed> => {
      const answer = await clientFor('').request({ method, path: PATH + path, body: JSON.stringify(body ?? {}) })
      return answer.status === 204 ? {} : await answer.json()
    },
    onSuccess: async (changed) => {
      await queries.invalidateQueries({ queryKey: ['administration'] })
      onSuccess?.(changed)
    },
  })
}

/** As the service takes them. */
export const rolesToSend = (roles: Roles) =>
  Object.entries(roles)
    .filter(([, ids]) => ids.length > 0)
    .map(([companyId, ids]) => ({ companyId, roles: ids }))
