// What a service looks at while it runs: its sizes, queues and keys, the rules in force, and what is to be deleted.

import { TRANSFER_BYTES } from './open-server.ts'
import type { AppParts, ServedApp } from './serve.ts'
import { declareGauges } from './watch/gauges.ts'
import { watchKeys } from './watch/watch-keys.ts'
import { watchLifeCycle } from './watch/watch-life-cycle.ts'
import { watchQuotas, watchSizes } from './watch/watch-sizes.ts'

export function watch({
  settings,
  opened,
  rules,
  callers,
  edge,
  served,
  resources,
}: AppParts & { readonly served: ServedApp }) {
  const { store, metrics, observe, clock } = opened
  const { companies } = rules
  const { memory } = edge
  declareGauges({ store, companies, memory, memoryBytes: TRANSFER_BYTES, lostLogLines: settings.lostLogLines, metrics })
  resources.defer(watchSizes({ store, data: settings.data, files: settings.files, metrics }))
  resources.defer(watchQuotas({ store, companies, metrics, observe }))
  const { looksAfter = true } = settings
  resources.defer(watchLifeCycle({ store, companies, metrics, deletes: looksAfter, clock }))
  const queues = {
    'event-loop': edge.parts.admission,
    requests: edge.pipeline.inFlight,
    batches: served.batches,
    changes: rules.changes.waits,
    'long-work': rules.longWork.queue,
    transfers: memory,
    secrets: callers.identity.secrets,
    thumbnails: served.thumbnails,
  }
  for (const [name, queue] of Object.entries(queues)) if (queue) metrics.store.queues.add(name, queue)
  rules.active.watch()
  served.texts.start()
  resources.defer(watchKeys(callers.keys, settings.keys === undefined, observe))
}
