// Where a running service is, and as whom a command asks it.
import type { Option } from 'commander'
import { badUsage } from '../terminal/bad-usage.ts'
import { loginsFile, readLogins } from './logins.ts'
import type { ServiceCredentials } from './service-credentials.ts'
import { setting } from './settings.ts'

export interface ServiceFlags {
  readonly url?: string
  readonly client?: string
}

const SECRET = 'TABULARIUM_SECRET'

/** The flags of commands that ask a running service. The secret is never a flag: everybody may list processes. */
export function serviceSettings(): Option[] {
  return [
    setting('--url <address>', 'address of the service with its base path, such as https://erp.example.com'),
    setting('--client <id>', `client to ask as; its secret is in ${SECRET}`),
  ]
}

/** From flags, the environment, and then what login has kept. Throws bad usage for what none of them tells. */
export function credentialsFrom(flags: ServiceFlags, environment: NodeJS.ProcessEnv): ServiceCredentials {
  const url = flags.url === undefined ? undefined : addressIn(flags.url)
  const secret = secretIn(environment)
  const isComplete = url !== undefined && flags.client !== undefined && secret !== undefined
  const kept = isComplete ? undefined : loginFor({ ...flags, url }, environment)
  const place = url ?? kept?.url
  if (place === undefined) throw badUsage("option '--url': the address of the service is missing; or tabularium login")
  const clientId = flags.client ?? kept?.clientId
  if (clientId === undefined) throw badUsage("option '--client': the id of the client is missing")
  const clientSecret = secret ?? kept?.clientSecret
  if (clientSecret === undefined) throw badUsage(`the variable ${SECRET} is missing: the client's secret`)
  return { url: place, clientId, clientSecret }
}

/** Of the variable; undefined if it is not set. */
export function secretIn(environment: NodeJS.ProcessEnv): string | undefined {
  return environment[SECRET] === '' ? undefined : environment[SECRET]
}

/** Throws bad usage for what is no address, or has credentials in it. */
export function addressIn(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) throw badUsage(`option '--url': ${url} is no http(s) address`)
  if (parsed.username !== '' || parsed.password !== '')
    throw badUsage(`option '--url': credentials do not belong there`)
  return (parsed.origin + parsed.pathname).replace(/\/+$/, '')
}

/** The newest one. A kept secret goes to the address and the client that it was kept for alone. */
function loginFor({ url, client }: ServiceFlags, environment: NodeJS.ProcessEnv): ServiceCredentials | undefined {
  return readLogins(loginsFile(environment)).find(
    (kept) => (url === undefined || kept.url === url) && (client === undefined || kept.clientId === client),
  )
}
