import { fileURLToPath } from 'node:url'
import type { Application } from '../../app/application.ts'
import { requireFreeAddress } from '../../app/listening.ts'
import { claimFolder } from '../../demo/demo-folder.ts'
import { Random } from '../../demo/random.ts'
import type { FaultFlags } from '../settings/faults.ts'
import type { ServeSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { serve } from './serve.ts'
import { isWorker } from './worker.ts'

export interface DemoSettings extends ServeSettings {
  readonly faults?: FaultFlags
}

/** In examples/demo/company.yaml with the hash of the password. */
const PERSON = { user: 'ingrid.solberg', password: 'console-demo' }
const SETUP = fileURLToPath(new URL('../../../examples/demo/company.yaml', import.meta.url))

/** Serves the demo company. */
export async function runDemo(transactions: number, settings: DemoSettings, terminal: Terminal): Promise<void> {
  if (!isWorker) await requireFreeAddress(settings)
  const { data, database } = settings
  if (database === undefined) claimFolder(data)
  else if (!isWorker) await (await import('./prepare-demo.ts')).requireDemo({ data, database }, SETUP, terminal)
  const prepare = async (application: Application) => {
    // Only the process that serves the records loads this.
    const { prepareDemo } = await import('./prepare-demo.ts')
    await prepareDemo(application, SETUP, transactions, terminal)
  }
  // Whoever tries webhooks has a receiver on the same machine.
  const { webhookNetworks = ['loopback'], faults } = settings
  await serve({ ...settings, ...limitsOf(settings), setup: SETUP, webhookNetworks }, terminal, {
    prepare,
    greeting,
    offeredPerson: PERSON,
    faults: faults && { ...faults, random: randomOf(faults.seed) },
  })
}

function randomOf(seed: number): () => number {
  const random = new Random(seed)
  return () => random.next()
}

/** With one process, what happens by chance happens in the same order each time. */
function limitsOf({ faults, rateRequests }: DemoSettings): Partial<ServeSettings> {
  if (!faults) return {}
  return {
    workers: 1,
    rateRequests: faults.rateRequests ?? rateRequests,
    rateMegabytes: faults.rateMegabytes,
  }
}

function greeting(address: string): string {
  return `
The demo company is served. In a browser, as ${PERSON.user} with the password ${PERSON.password}:

  ${address}/

A first answer:

  curl -s -u demo:demo-secret '${address}/v1/attribute-values/C1?$filter=contains(description,%27Oslo%27)&$limit=3'

A token, for an hour:

  curl -s -u demo:demo-secret -d grant_type=client_credentials ${address}/oauth/token

Guides, and every endpoint: ${address}/docs
Stop with Ctrl-C.
`
}
