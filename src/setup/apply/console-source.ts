// Whether a setup is administered in the console. From the first change there on, a start with `--setup` leaves its
// file alone: it would take back what was changed, such as that somebody was disabled. `tabularium setup FILE` is asked
// for, so it applies the file, and the file is the source again.
import { administersService } from '../../access/administrator.ts'
import type { UserDefinition } from '../../access/caller.ts'
import { conflict } from '../../errors/catalogue.ts'
import { deleteSetupItem, putSetupItem } from '../../store/service-state/setup-store.ts'
import type { Actor, Store, Tx } from '../../store/store.ts'
import { readItems, type SetupItem } from '../items/setup-item.ts'

const MARK = { kind: 'console', id: 'source' } as const

/** It is no part of a setup. */
export const isMark = ({ kind }: SetupItem): boolean => kind === MARK.kind

/** Who has changed the setup in the console last, and when. */
interface ConsoleSource {
  readonly userId: string
  readonly at: string
}

export async function findConsoleSource(store: Store): Promise<ConsoleSource | undefined> {
  const mark = (await readItems(store.reading(''))).find(isMark)
  return mark?.definition as ConsoleSource | undefined
}

/** Notes where the last change comes from: the console where there is an actor, else a file. */
export async function markSource(tx: Tx, actor: Actor | undefined): Promise<void> {
  if (!actor) return deleteSetupItem(tx, MARK.kind, MARK.id)
  const source: ConsoleSource = { userId: actor.userId, at: tx.at }
  await putSetupItem(tx, { company_id: '', ...MARK, definition: JSON.stringify(source) })
}

/** Nobody locks the administrators out: whoever changes the setup in the console administers it afterwards as well. */
export function requireAdministrator({ userId }: Actor, items: readonly SetupItem[]): void {
  const user = items.find(({ kind, id }) => kind === 'user' && id === userId)?.definition as UserDefinition | undefined
  if (user && administersService(user)) return
  throw conflict(`Afterwards ${userId} would no longer administer the service: another administrator does this.`)
}
