// C1 to C7, C10: every history of many clients at once has a serial explanation, by however many processes they are served. The
// trials stand in `concurrency/`, each in a file of its own; they share the services, which take longer to start.
import { onEachArrangement } from '../../support/arrangements.ts'
import { equalRequests } from './cases/equal-requests.ts'
import { histories } from './cases/histories.ts'
import { lostUpdates } from './cases/lost-updates.ts'
import { numbering } from './cases/numbering.ts'
import { overlaps } from './cases/overlaps.ts'
import { revisions } from './cases/revisions.ts'
import { sameField } from './cases/same-field.ts'
import { sameKey } from './cases/same-key.ts'

onEachArrangement('Many clients at once', (running) => {
  sameKey(running)
  overlaps(running)
  lostUpdates(running)
  sameField(running)
  revisions(running)
  histories(running)
  equalRequests(running)
  numbering(running)
})
