// Who calls: how callers are identified, how much each may ask for, and what is noted of them.
import { join } from 'node:path'
import { AddressLimits } from '../access/address-limits.ts'
import { ClientSecrets } from '../access/client-secrets.ts'
import type { Directory } from '../access/directory.ts'
import { KeyRing } from '../access/keys.ts'
import { AGENT_USE } from '../access/token-use.ts'
import { Tokens } from '../access/tokens.ts'
import type { Clock } from '../base/clock.ts'
import type { SharedUsages } from '../base/concurrency/sliding-window.ts'
import { TrustedProxies } from '../base/trusted-proxies.ts'
import type { Identity, SessionChecks } from '../http/pipeline/authenticate.ts'
import { RateLimiter } from '../http/pipeline/rate-limiter.ts'
import { metadataPathBelow } from '../http/system/oauth-metadata.ts'
import { AGENT_LIMITS, agentBudget } from '../mcp/service.ts'
import type { Observe } from '../observe/observation.ts'
import { sessionSecretIn } from '../sessions/cookie.ts'
import { SessionStore } from '../sessions/session-store.ts'
import { PersonSessions, peopleOf } from '../sessions/sessions.ts'
import { ActingLog } from '../store/audit/acting-log.ts'
import { AgentCallLog } from '../store/audit/agent-call-log.ts'
import { DeniedAccessLog } from '../store/audit/denied-access-log.ts'
import { clientUsage } from '../store/service-state/usage-store.ts'
import type { ApplicationSettings } from './application.ts'
import type { Opened } from './open.ts'
import type { OpenRules } from './open-rules.ts'

/** The administrator's keys, or those that the service makes in its data folder. */
function openKeys({ keys, data }: { keys?: string | undefined; data: string }, clock: Clock): Promise<KeyRing> {
  return keys ? Promise.resolve(KeyRing.provided(keys, clock)) : KeyRing.managed(join(data, 'keys.json'), clock)
}

export type Callers = Awaited<ReturnType<typeof openCallers>>

export async function openCallers(
  settings: ApplicationSettings,
  { store, observe, clock }: Opened,
  { directory }: OpenRules,
  resources: AsyncDisposableStack,
) {
  const shared = clientUsage(store)
  const keys = await openKeys(settings, clock)
  const sessions = new PersonSessions({ store: new SessionStore(store), directory, clock })
  const identities = openIdentity({ keys, directory, sessions, shared, clock, observe, settings })
  resources.defer(() => identities.identity.secrets.close())
  resources.defer(() => identities.passwords.close())
  const limiter = settings.rateLimits && new RateLimiter(settings.rateLimits, shared)
  resources.defer(() => limiter?.stop())
  const budget = agentBudget(settings.agentLimits ?? AGENT_LIMITS, shared)
  resources.defer(() => budget.stop())
  const logged = { store, clock, observe, writeAfterMs: settings.deniedAccessDelayMs }
  const logs = { acting: new ActingLog(logged), denied: new DeniedAccessLog(logged), calls: new AgentCallLog(logged) }
  for (const log of Object.values(logs)) resources.defer(() => log.stop())
  return { ...identities, keys, sessions, limiter, budget, ...logs }
}

interface IdentityParts {
  readonly keys: KeyRing
  readonly directory: Directory
  readonly sessions: PersonSessions
  readonly shared: SharedUsages
  readonly clock: Clock
  readonly observe: Observe
  readonly settings: ApplicationSettings
}

/** `identity` is that of requests for records, which sessions open as well. */
function openIdentity({ settings, keys, directory, sessions, shared, clock, observe }: IdentityParts) {
  const { trustedProxies = [], elapsedMs = () => performance.now(), secretPaceMs: paceMs } = settings
  const addressLimits = new AddressLimits(elapsedMs)
  const limits = { shared, addressLimits, clock, observe, paceMs }
  const passwords = new ClientSecrets({ directory: peopleOf(directory), ...limits })
  const common = {
    tokens: new Tokens(keys, directory, clock),
    secrets: new ClientSecrets({ directory, ...limits }),
    directory,
    addressLimits,
    proxies: new TrustedProxies(trustedProxies),
  }
  const identity = { ...common, sessions: sessionChecks(sessions) }
  const agents: Identity = {
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
