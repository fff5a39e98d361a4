import { createClient, NotAuthorisedProblem } from '#client'
import { addressIn, type ServiceFlags, secretIn } from '../../settings/credentials.ts'
import { loginsFile, type ServiceCredentials, saveLogin } from '../../settings/logins.ts'
import { askHidden } from '../../terminal/ask-hidden.ts'
import { badUsage } from '../../terminal/bad-usage.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { asking } from './asking.ts'

/** Keeps nothing that the service does not know. */
export async function login(flags: ServiceFlags, terminal: Terminal): Promise<void> {
  const { client: clientId } = flags
  if (flags.url === undefined) throw badUsage("option '--url': the address of the service is missing")
  if (clientId === undefined) throw badUsage("option '--client': the id of the client is missing")
  const url = addressIn(flags.url)
  const clientSecret = secretIn(terminal.env) ?? (await requestedSecret(clientId, terminal))
  const credentials = { url, clientId, clientSecret }
  await asking(credentials, () => requireToken(credentials))
  const file = loginsFile(terminal.env)
  saveLogin(file, credentials)
  terminal.stdout.write(`${clientId} at ${url} is kept in ${file}\n`)
}

async function requestedSecret(clientId: string, terminal: Terminal): Promise<string> {
  if (!terminal.stdin.isTTY) throw badUsage("the variable TABULARIUM_SECRET is missing: the client's secret")
  const secret = await askHidden(`Secret of ${clientId}: `, terminal)
  if (secret === '') throw badUsage('there is no secret')
  return secret
}

/** A client that has a token and may read nothing is known, too. */
async function requireToken(credentials: ServiceCredentials): Promise<void> {
  const client = createClient(credentials, { tries: 1 })
  try {
    await client.request({ path: '/v1/objects' })
  } catch (error) {
    if (!(error instanceof NotAuthorisedProblem)) throw error
  }
}
