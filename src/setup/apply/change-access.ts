// Changes users and clients in force, as a setup file that has them would: with the same entries in the change log, and
// in force in every process.
import { rolledBack } from '../../store/rolled-back.ts'
import { putAppliedSetup } from '../../store/setup-version.ts'
import type { Actor, SetupTx, Store } from '../../store/store.ts'
import { readItems, type SetupItem } from '../items/setup-items.ts'
import { compareSetup } from './compare-setup.ts'
import { isMark, markSource } from './console-source.ts'
import { saveItems } from './save-items.ts'

export type AccessItem = SetupItem & { readonly companyId: ''; readonly kind: 'user' | 'client' }

export interface AccessTask {
  readonly store: Store
  readonly actor: Actor
  /** Everything is checked, and nothing stays. */
  readonly validateOnly: boolean
}

/** `change` gets the items in force, and returns those that are new or different. What it throws changes nothing. */
export async function changeAccess(
  { store, actor, validateOnly }: AccessTask,
  change: (stored: readonly SetupItem[]) => readonly AccessItem[],
): Promise<void> {
  const work = async (setupTx: SetupTx): Promise<void> => {
    const global = await setupTx.in('')
    const stored = (await readItems(global)).filter((item) => !isMark(item))
    await saveItems(global, compareSetup(stored, change(stored)))
    const last = await setupTx.in('')
    await markSource(last, actor)
    await putAppliedSetup(last, last.entryNo)
  }
  if (validateOnly) await rolledBack((tried: (tx: SetupTx) => Promise<never>) => store.writeSetup(actor, tried), work)
  else await store.writeSetup(actor, work)
}
