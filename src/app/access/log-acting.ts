import type { Observe } from '../../observe/observation.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import type { ActingLog } from '../../store/journal/delayed/acting-log.ts'

/** A view through a client goes to the journal of the company that was read. */
export function logActing(acting: ActingLog, companies: Companies): Observe {
  return (observation) => {
    if (observation.kind !== 'acting') return
    const companyId = companies.known(observation.companyId)?.id
    if (companyId !== undefined) acting.add({ ...observation, companyId })
  }
}
