// What a person administers in the console: the service with all its companies, or some companies.
import type { UserDefinition } from './caller.ts'

/** Companies by their ids in lower case. */
export type Administered = 'service' | ReadonlySet<string>

/** Undefined for who administers nothing, and for who is disabled. */
export function administeredBy({ administrator, disabled }: UserDefinition): Administered | undefined {
  if (disabled || !administrator) return undefined
  return administrator === true ? 'service' : new Set(administrator.map((id) => id.toLowerCase()))
}

/** Whether the user administers everything: also the setup, and what each client sees. */
export const administersService = (user: UserDefinition): boolean => administeredBy(user) === 'service'

export const administersCompany = (administered: Administered, companyId: string): boolean =>
  administered === 'service' || administered.has(companyId.toLowerCase())

/** Whether all that the user may do lies in companies that are administered. */
export function isWithin(administered: Administered, { defaultCompany, roles = {} }: UserDefinition): boolean {
  return [defaultCompany, ...Object.keys(roles)].every((id) => administersCompany(administered, id))
}
