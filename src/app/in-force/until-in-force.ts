// Waits until a setup that was applied is in force in all processes that serve the store.
import { setTimeout as delay } from 'node:timers/promises'
import { isProcessAlive } from '../../base/process/is-alive.ts'
import { listServingProcesses, removeServingProcess } from '../../store/service-state/serving-store.ts'
import { findSetupVersion } from '../../store/service-state/setup-store.ts'
import type { Store } from '../../store/store.ts'

const ASK_MS = 50
/** A process loads a setup within a fraction of this. */
const MAX_WAIT_MS = 15_000
/** A process of a shared database that has told nothing for so long has ended. */
const GONE_AFTER_MS = 12_000

/** Returns those in which the setup is not in force yet, as `process 123 on host`. */
export async function untilInForce(store: Store, isShared: boolean): Promise<readonly string[]> {
  const version = await findSetupVersion(store.reading(''))
  const giveUpAt = performance.now() + MAX_WAIT_MS
  for (;;) {
    const late: string[] = []
    for (const { process_id, host, pid, setup_version, seen_at } of await listServingProcesses(store)) {
      const isAlive = isShared ? Date.now() - Number(seen_at) < GONE_AFTER_MS : isProcessAlive(Number(pid))
      if (!isAlive) await removeServingProcess(store, process_id)
      else if (Number(setup_version) < version) late.push(`process ${pid} on ${host}`)
    }
    if (late.length === 0 || performance.now() > giveUpAt) return late
    await delay(ASK_MS)
  }
}
