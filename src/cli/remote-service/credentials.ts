// Where a running service is, and as whom a command asks it.
import type { Option } from 'commander'
import { badUsage } from '../bad-usage.ts'
import { setting } from '../settings.ts'

export interface ServiceFlags {
  readonly url?: string
  readonly client?: string
}

export interface ServiceCredentials {
  /** With the base path, without a slash at its end. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

const SECRET = 'TABULARIUM_SECRET'

/** The flags of commands that ask a running service. The secret is never a flag: everybody may list processes. */
export function serviceSettings(): Option[] {
  return [
    setting('--url <address>', 'address of the service with its base path, such as https://erp.example.com'),
    setting('--client <id>', `client to ask as; its secret is in ${SECRET}`),
  ]
}

/** From flags and the environment. Throws bad usage for what is missing. */
export function credentialsFrom({ url, client }: ServiceFlags, environment: NodeJS.ProcessEnv): ServiceCredentials {
  if (url === undefined) throw badUsage("option '--url': the address of the service is missing")
  if (client === undefined) throw badUsage("option '--client': the id of the client is missing")
  const secret = environment[SECRET]
  if (secret === undefined || secret === '') throw badUsage(`the variable ${SECRET} is missing: the client's secret`)
  return { url: addressIn(url), clientId: client, clientSecret: secret }
}

function addressIn(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) throw badUsage(`option '--url': ${url} is no http(s) address`)
  if (parsed.username !== '' || parsed.password !== '')
    throw badUsage(`option '--url': credentials do not belong there`)
  return (parsed.origin + parsed.pathname).replace(/\/+$/, '')
}
