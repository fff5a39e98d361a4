// Where a running service is, and as whom a command asks it.
import type { Command, Option } from 'commander'
import { badUsage } from '../terminal/bad-usage.ts'
import { loginsFile, readLogins, type ServiceCredentials } from './logins.ts'
import { grouped, setting, storeSettings } from './settings.ts'

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

/** A command with these opens the database itself, or asks a service where one is named. */
export function placeSettings(): Option[] {
  return [...storeSettings(), ...grouped('A service, instead of the storage:', serviceSettings())]
}

/**
 * The service that `--url` names; undefined for the database of this machine. `unknown`: what a service does not take.
 */
export function namedService(
  command: Command,
  environment: NodeJS.ProcessEnv,
  unknown: readonly string[] = [],
): ServiceCredentials | undefined {
  const flags = command.opts<ServiceFlags>()
  const given = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
  const givenOf = (names: readonly string[]) => given.find((option) => names.includes(option.name()))
  const ofStorage = storeSettings().map((option) => option.name())
  // The variable is for commands that ask a service alone, too.
  if (flags.url === undefined || (!givenOf(['url']) && givenOf(ofStorage))) {
    const other = givenOf(serviceSettings().map((option) => option.name()))
    if (other) throw badUsage(`option '--${other.name()}': it is for the service that --url names`)
    return undefined
  }
  const refused = givenOf([...ofStorage, ...unknown])
  if (refused) throw badUsage(`option '--${refused.name()}': a service that is asked by --url does not take it`)
  return credentialsFrom(flags, environment)
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

/** The value of the variable; undefined if it is not set. */
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
