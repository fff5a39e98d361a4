// Detects the published secrets of the demo company. Anybody can use a client, or sign in as a person, that has one.
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { type ClientDefinition, secretsOf, type UserDefinition } from '../../access/caller.ts'
import type { Observe } from '../../observe/observation.ts'
import { listSetupItems } from '../../store/service-state/setup-store.ts'
import type { Store } from '../../store/store.ts'
import { badUsage } from '../terminal/bad-usage.ts'

const DEMO_SETUP = new URL('../../../examples/demo/company.yaml', import.meta.url)
const HASH = /(?:secret|password)Hash: "([^"]+)"/g

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Warns of clients with published secrets. Throws a usage error when the service listens beyond the local machine. */
export async function warnOfPublishedSecrets(store: Store, host: string, observe: Observe): Promise<void> {
  const published = new Set([...readFileSync(DEMO_SETUP, 'utf8').matchAll(HASH)].map(([, hash]) => hash))
  const items = await listSetupItems(store.reading(''))
  const clients = items
    .filter(
      ({ kind, definition }) =>
        (kind === 'client' || kind === 'user') && hashesIn(definition).some((hash) => published.has(hash)),
    )
    .map(({ id }) => id)
  if (clients.length === 0) return
  if (isLoopback(host)) {
    observe({ kind: 'published-secrets', clients: clients.join(', ') })
    return
  }
  throw badUsage(
    `option '--host': ${host} is open to others, and the secrets of the clients ${clients.join(', ')} are published with the demo: give them others, or serve on 127.0.0.1`,
  )
}

function hashesIn(definition: string): string[] {
  const holder = JSON.parse(definition) as ClientDefinition & UserDefinition
  return [...secretsOf(holder).map(({ hash }) => hash), ...(holder.passwordHash ? [holder.passwordHash] : [])]
}

function isLoopback(host: string): boolean {
  const family = isIP(host)
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 6 ? 'ipv6' : 'ipv4')
}
