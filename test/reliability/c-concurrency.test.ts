// C1 to C7, C10: every history of many clients at once has a serial explanation, by however many processes they are served. The
// trials stand in `concurrency/`, each in a file of its own; they share the services, which take longer to start.
import { onEachArrangement } from '../support/arrangements.ts'
import { sameKey } from './concurrency/c1-same-key.ts'
import { overlaps } from './concurrency/c2-overlaps.ts'
import { lostUpdates } from './concurrency/c3-lost-updates.ts'
import { sameField } from './concurrency/c4-same-field.ts'
import { revisions } from './concurrency/c5-revisions.ts'
import { numbering } from './concurrency/c6-numbering.ts'
import { histories } from './concurrency/c7-histories.ts'
import { equalRequests } from './concurrency/c10-equal-requests.ts'

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
