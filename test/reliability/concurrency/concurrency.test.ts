// C1 to C7, C10: every history of concurrent clients has a serial explanation, whatever the number of processes. The
// tests are in `concurrency/cases`, a file for each; they share the services, which take longer to start.
import { onEachDeployment } from '../../support/deployments.ts'
import { equalRequests } from './cases/equal-requests.ts'
import { histories } from './cases/histories.ts'
import { lostUpdates } from './cases/lost-updates.ts'
import { numbering } from './cases/numbering.ts'
import { overlaps } from './cases/overlaps.ts'
import { revisions } from './cases/revisions.ts'
import { sameField } from './cases/same-field.ts'
import { sameKey } from './cases/same-key.ts'

onEachDeployment('Many clients at once', (running) => {
  sameKey(running)
  overlaps(running)
  lostUpdates(running)
  sameField(running)
  revisions(running)
  histories(running)
  equalRequests(running)
  numbering(running)
})
