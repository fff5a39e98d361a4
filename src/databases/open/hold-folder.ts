// Holds the data folder for worker processes that open the store. Beside the drivers, because the process that leads
// workers needs nothing else of a database.
import type { FolderHold } from '../driver.ts'
import { HeldFolder } from '../sqlite/held-folder.ts'

/** Throws when another process holds it. */
export function holdFolder(data: string): FolderHold {
  const folder = new HeldFolder(data)
  folder.letCommandsIn()
  return folder
}
