import type { Observe } from '../../observe/observation.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import type { DeniedAccessLog } from '../../store/journal/delayed/denied-access-log.ts'

/** Denied access goes to the journal of the caller's company, because no other company may learn of it. */
export function logDeniedAccess(deniedAccess: DeniedAccessLog, companies: Companies): Observe {
  return (observation) => {
    if (observation.kind !== 'access-refused') return
    const companyId = companies.known(observation.companyId)?.id ?? ''
    deniedAccess.add({ ...observation, companyId })
  }
}
