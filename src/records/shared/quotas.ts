// What a company may keep for ever, where its setup says so. Reading, deleting and closing go on when it is used up.
import { coded } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { findSizes } from '../../store/service-state/size-store.ts'
import type { ReadTx, Tx } from '../../store/store.ts'

/** To be asked before a write: the one that reaches the quota is the last. */
export function requireJournalRoom({ quotas: { journalBytes } }: CompanyRules, { entries }: Tx): void {
  if (journalBytes !== undefined && entries.journalBytes >= journalBytes) {
    throw quotaReached(`The change log of the company has reached its quota of ${journalBytes} bytes.`)
  }
}

/** To be asked before a content is kept, and again when the company is locked: others may have been first. */
export async function requireFileRoom(
  { quotas: { fileBytes } }: CompanyRules,
  tx: ReadTx,
  bytes: number,
): Promise<void> {
  if (fileBytes === undefined) return
  const { file_bytes: used } = await findSizes(tx)
  if (used + bytes <= fileBytes) return
  throw quotaReached(
    `The file of ${bytes} bytes would exceed the company's quota of ${fileBytes} bytes for files, of which ${used} are used.`,
  )
}

/** Not a status that clients try again on: only an administrator can change it. */
function quotaReached(message: string): Problem {
  return coded(422, 1010, message)
}
