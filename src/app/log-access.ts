// What the change log and the log are told of access.
import type { Directory } from '../access/directory.ts'
import type { Observe } from '../observe/observation.ts'
import type { SetupReport } from '../setup/apply/apply-setup.ts'
import { itemName } from '../setup/apply/print-changes.ts'
import { PRUNABLE } from '../setup/apply/prune.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { ActingLog } from '../store/audit/acting-log.ts'
import type { DeniedAccessLog } from '../store/audit/denied-access-log.ts'

const SOON_MS = 14 * 24 * 60 * 60 * 1000
/** A line of the log names no more of them. */
const MAX_NAMES = 50

/** A view through a client goes to the journal of the company that was read. */
export function logActing(acting: ActingLog, companies: Companies): Observe {
  return (observation) => {
    if (observation.kind !== 'acting') return
    const companyId = companies.known(observation.companyId)?.id
    if (companyId !== undefined) acting.add({ ...observation, companyId })
  }
}

/** Denied access goes to the journal of the caller's company, because no other company may learn of it. */
export function logDeniedAccess(deniedAccess: DeniedAccessLog, companies: Companies): Observe {
  return (observation) => {
    if (observation.kind !== 'access-refused') return
    const companyId = companies.known(observation.companyId)?.id ?? ''
    deniedAccess.add({ ...observation, companyId })
  }
}

/** Warns at a start of access that an administrator may not know of, or that will end. */
export function warnOfAccess(
  directory: Directory,
  setupReport: SetupReport | undefined,
  now: Date,
  observe: Observe,
): void {
  const { unboundIssuers } = directory
  if (unboundIssuers.length > 0) observe({ kind: 'unbound-issuers', issuers: unboundIssuers.join(', ') })
  const kinds: readonly string[] = Object.values(PRUNABLE)
  const kept = (setupReport?.changes ?? []).filter(({ kind, item }) => kind === 'kept' && kinds.includes(item.kind))
  if (kept.length > 0)
    observe({ kind: 'kept-though-not-in-file', items: listOf(kept.map(({ item }) => itemName(item))) })
  const ending = directory.secretsEnding(now, new Date(now.getTime() + SOON_MS))
  if (ending.length > 0) {
    observe({
      kind: 'secrets-end-soon',
      clients: listOf(ending.map(({ clientId, until }) => `${clientId} (${until})`)),
    })
  }
}

function listOf(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return names.slice(0, MAX_NAMES).join(', ') + more
}
