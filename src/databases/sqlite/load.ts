// Restores a copied file into an empty data folder; it gets its final name at the very end.
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoadTask, RestoreTarget } from '../driver.ts'
import type { InstanceLock } from '../file-lock.ts'
import { openReader } from './dialect/connection.ts'
import { referencedContents } from './dump.ts'
import { DATABASE_NAME, databaseFile, UNFINISHED } from './file/data-folder.ts'
import { lockDataFolder } from './file/folder-lock.ts'
import { integrityFaults } from './file/integrity-check.ts'

/**
 * Files that may exist without a database: those of a service without a setup, and keys that were placed there by hand.
 */
const HARMLESS = /^(instance\.(?:lock.*|pid)|commands\.lock|ballast|keys\.json|integrity\.json|restored\.db\.tmp.*)$/

export async function openEmptyFolder(data: string, validateOnly: boolean): Promise<RestoreTarget | undefined> {
  requireEmpty(data)
  if (validateOnly) return undefined
  const lock = lockDataFolder(data)
  try {
    requireEmpty(data)
    writeFileSync(join(data, UNFINISHED), '', { mode: 0o600 })
    return new EmptyFolder(data, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

function requireEmpty(data: string): void {
  const names = existsSync(data) ? readdirSync(data) : []
  if (names.includes(DATABASE_NAME)) throw new Error(`${data} has a database already: restore into a new folder`)
  // Other files are left over from it.
  const isContinued = names.includes(UNFINISHED)
  const other = names.find((name) => !HARMLESS.test(name) && !(isContinued && name === 'files'))
  if (other !== undefined) throw new Error(`${data} is not empty (${other} is there): restore into a new folder`)
}

class EmptyFolder implements RestoreTarget {
  readonly #data: string
  readonly #file: string
  readonly #lock: InstanceLock

  constructor(data: string, lock: InstanceLock) {
    this.#data = data
    this.#file = join(data, UNFINISHED)
    this.#lock = lock
  }

  async load({ copy, read, progress, onReferenced }: LoadTask): Promise<void> {
    const [name = ''] = copy.files
    const handle = await open(this.#file, 'w', 0o600)
    try {
      let written = 0
      for await (const chunk of read(name)) {
        await handle.writeFile(chunk)
        written += chunk.length
        progress(written, 0)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    using connection = openReader(this.#file)
    const [fault] = integrityFaults(connection)
    if (fault !== undefined) throw new Error(fault)
    for (const content of referencedContents(connection)) await onReferenced(content)
  }

  async accept(): Promise<void> {
    renameSync(this.#file, databaseFile(this.#data))
    if (process.platform === 'win32') return
    const folder = await open(this.#data)
    await folder.sync().finally(() => folder.close())
  }

  async close(): Promise<void> {
    this.#lock.release()
  }
}
