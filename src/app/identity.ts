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
import type { Identity, SessionChecks } from '../http/pipeline/authenticate.ts'
import { metadataPathBelow } from '../http/system/oauth-metadata.ts'
import type { Observe } from '../observe/observation.ts'
import { sessionSecretIn } from '../sessions/cookie.ts'
import { type PersonSessions, peopleOf } from '../sessions/sessions.ts'

/** The administrator's keys, or those that the service makes in its data folder. */
export function openKeys({ keys, data }: { keys?: string | undefined; data: string }, clock: Clock): Promise<KeyRing> {
  return keys ? Promise.resolve(KeyRing.provided(keys, clock)) : KeyRing.managed(join(data, 'keys.json'), clock)
}

/** Of requests for records, and of agents. */
export interface Identities {
  /** Opened by sessions as well. */
  readonly identity: Identity
  readonly passwords: ClientSecrets
  readonly agents: Identity
}

interface IdentityParts {
  readonly keys: KeyRing
  readonly directory: Directory
  readonly sessions: PersonSessions
  readonly shared: SharedUsages
  readonly clock: Clock
  readonly observe: Observe
  readonly settings: {
    readonly trustedProxies?: readonly string[] | undefined
    readonly basePath: string
    /** The monotonic clock, in milliseconds, by which addresses are limited. Default: that of the process. */
    readonly elapsedMs?: (() => number) | undefined
  }
}

export function openIdentity({
  keys,
  directory,
  sessions,
  shared,
  clock,
  observe,
  settings,
}: IdentityParts): Identities {
  const { trustedProxies = [], elapsedMs = () => performance.now() } = settings
  const addressLimits = new AddressLimits(elapsedMs)
  const limits = { shared, addressLimits, clock, observe }
  const passwords = new ClientSecrets({ directory: peopleOf(directory), ...limits })
  const common = {
    tokens: new Tokens(keys, directory, clock),
    secrets: new ClientSecrets({ directory, ...limits }),
    directory,
    addressLimits,
    proxies: new TrustedProxies(trustedProxies),
  }
  const identity = { ...common, sessions: sessionChecks(sessions) }
  const agents = {
    ...common,
    tokens: new Tokens(keys, directory, clock, AGENT_USE),
    metadataPath: metadataPathBelow(settings.basePath),
  }
  return { identity, agents, passwords }
}

/** A request of the console's pages, with the client that an administrator looks through. */
function sessionChecks(sessions: PersonSessions): SessionChecks {
  return {
    presentedIn: ({ headers, method = '' }) => {
      const secret = sessionSecretIn(headers)
      const actAs = headers['act-as']
      return secret === undefined ? undefined : { secret, method, actAs: actAs === undefined ? actAs : String(actAs) }
    },
    verify: (session) => sessions.verify(session),
  }
}
