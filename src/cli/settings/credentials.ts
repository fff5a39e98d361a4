// Where a running service is, and as whom a command asks it.
import type { Option } from 'commander'
import { badUsage } from '../terminal/bad-usage.ts'
import { DEFAULT_PROFILE, profilesFile, readProfiles } from './profiles.ts'
import type { ServiceCredentials } from './service-credentials.ts'
import { setting } from './settings.ts'

export interface ServiceFlags {
  readonly url?: string
  readonly client?: string
  readonly profile?: string
}

const SECRET = 'TABULARIUM_SECRET'

/** The flags of commands that ask a running service. The secret is never a flag: everybody may list processes. */
export function serviceSettings(): Option[] {
  return [
    setting('--url <address>', 'address of the service with its base path, such as https://erp.example.com'),
    setting('--client <id>', `client to ask as; its secret is in ${SECRET}`),
    setting('--profile <name>', `what tabularium login has kept; ${DEFAULT_PROFILE} unless another one is named`),
  ]
}

/** From flags, the environment, and then the profile. Throws bad usage for what none of them tells. */
export function credentialsFrom(flags: ServiceFlags, environment: NodeJS.ProcessEnv): ServiceCredentials {
  const url = flags.url === undefined ? undefined : addressIn(flags.url)
  const secret = secretIn(environment)
  const isComplete = url !== undefined && flags.client !== undefined && secret !== undefined
  const profile = isComplete && flags.profile === undefined ? undefined : profileFor({ ...flags, url }, environment)
  const place = url ?? profile?.url
  if (place === undefined) throw badUsage("option '--url': the address of the service is missing; or tabularium login")
  const clientId = flags.client ?? profile?.clientId
  if (clientId === undefined) throw badUsage("option '--client': the id of the client is missing")
  const clientSecret = secret ?? profile?.clientSecret
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

/** The kept secret goes to the address and the client that it was kept for alone. */
function profileFor(flags: ServiceFlags, environment: NodeJS.ProcessEnv): ServiceCredentials | undefined {
  const name = flags.profile ?? DEFAULT_PROFILE
  const profile = readProfiles(profilesFile(environment)).get(name)
  const isNamed = flags.profile !== undefined
  if (!profile && isNamed) throw badUsage(`option '--profile': there is no profile ${name}; see tabularium login`)
  const differs = (['url', 'client'] as const).find(
    (flag) => flags[flag] !== undefined && flags[flag] !== (flag === 'url' ? profile?.url : profile?.clientId),
  )
  if (differs === undefined) return profile
  if (isNamed) throw badUsage(`option '--${differs}': the profile ${name} is of another one`)
  return undefined
}
