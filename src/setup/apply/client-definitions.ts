// The clients of a setup as they are stored: with hashes of their secrets.
import { type ClientDefinition, type StoredSecret, secretsOf } from '../../access/caller.ts'
import { parseDateTime } from '../../base/dates.ts'
import { InvalidSetup } from '../invalid-setup.ts'
import type { ClientSetup } from '../read/setup-schema.ts'

/** Hashing of secrets. Injected, so that tests need not pay its cost. */
export interface SecretTools {
  hashSecret(secret: string): Promise<string>
  verifySecret(secret: string, hash: string): Promise<boolean>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A stored hash of a client stays when the secret in the environment matches it. */
export async function clientDefinitions(
  clients: readonly ClientSetup[],
  stored: readonly ClientDefinition[],
  tools: SecretTools,
): Promise<ClientDefinition[]> {
  const definitions: ClientDefinition[] = []
  for (const { secretEnv, secretHash, secrets, ...client } of clients) {
    const known = stored.filter(({ id }) => id === client.id).flatMap(secretsOf)
    const hashOf = async (hash: string | undefined, variable = '') =>
      hash ?? (await hashFromEnvironment(tools, variable, known))
    if (secrets === undefined) definitions.push({ ...client, secretHash: await hashOf(secretHash, secretEnv) })
    else {
      const all: StoredSecret[] = []
      for (const { env, hash, until } of secrets) {
        all.push({
          hash: await hashOf(hash, env),
          ...(until === undefined ? {} : { until: parseDateTime(until) ?? '' }),
        })
      }
      definitions.push({ ...client, secrets: all })
    }
  }
  return definitions
}

async function hashFromEnvironment(
  tools: SecretTools,
  variable: string,
  known: readonly StoredSecret[],
): Promise<string> {
  const secret = tools.environment[variable]
  if (!secret) throw new InvalidSetup(`the environment variable ${variable} is not set`)
  for (const { hash } of known) if (await tools.verifySecret(secret, hash)) return hash
  return tools.hashSecret(secret)
}
