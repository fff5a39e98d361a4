// The parts that identify callers: keys, tokens, secrets, and the limits of who is not identified.
import { join } from 'node:path'
import { AddressLimits } from '../access/address-limits.ts'
import type { Directory } from '../access/directory.ts'
import { KeyRing } from '../access/keys.ts'
import { ClientSecrets } from '../access/secrets/client-secrets.ts'
import { AGENT_USE } from '../access/token-use.ts'
import { Tokens } from '../access/tokens.ts'
import type { Clock } from '../base/clock.ts'
import type { SharedUsages } from '../base/concurrency/sliding-window.ts'
import { TrustedProxies } from '../base/trusted-proxies.ts'
import type { Identity } from '../http/pipeline/authenticate.ts'
import { metadataPathBelow } from '../http/system/oauth-metadata.ts'
import type { Observe } from '../observe/observation.ts'
import { BOUNDS, type Bounds } from './defaults.ts'

/** The administrator's keys, or those that the service makes in its data folder. */
export function openKeys({ keys, data }: { keys?: string | undefined; data: string }, clock: Clock): Promise<KeyRing> {
  return keys ? Promise.resolve(KeyRing.provided(keys, clock)) : KeyRing.managed(join(data, 'keys.json'), clock)
}

/** Of requests for records, and of agents. */
export interface Identities {
  readonly identity: Identity
  readonly agents: Identity
}

interface IdentityParts {
  readonly keys: KeyRing
  readonly directory: Directory
  readonly shared: SharedUsages
  readonly clock: Clock
  readonly observe: Observe
  readonly settings: {
    readonly bounds?: Bounds | undefined
    readonly trustedProxies?: readonly string[] | undefined
    readonly basePath: string
  }
}

export function openIdentity({ keys, directory, shared, clock, observe, settings }: IdentityParts): Identities {
  const { bounds = BOUNDS, trustedProxies = [] } = settings
  const addressLimits = new AddressLimits({ anonymous: bounds.anonymousPerSecond, failed: bounds.failuresPerSecond })
  const mostWrong = bounds.wrongSecrets
  const identity = {
    tokens: new Tokens(keys, directory, clock),
    secrets: new ClientSecrets({ directory, shared, addressLimits, clock, observe, mostWrong }),
    directory,
    addressLimits,
    proxies: new TrustedProxies(trustedProxies),
  }
  const agents = {
    ...identity,
    tokens: new Tokens(keys, directory, clock, AGENT_USE),
    metadataPath: metadataPathBelow(settings.basePath),
  }
  return { identity, agents }
}
