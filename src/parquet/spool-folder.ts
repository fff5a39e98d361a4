// Files that are kept on disk for a while, so that parts of them can be read: a folder that the processes of one data
// folder share. What a file is of is in its name, so nothing else has to be kept.
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { freeBytes } from '../base/process/files.ts'
import { unavailable } from '../errors/catalogue.ts'
import { codeOf, onDisk } from '../files/disk.ts'
import type { ByteStream } from '../store/store.ts'

/** The folder in the data folder. */
export function spoolIn(data: string): string {
  return join(data, 'spool')
}

/** Removes all files of a company, complete or not. */
export async function emptySpool(data: string, companyId: string): Promise<void> {
  const folder = spoolIn(data)
  const names = existsSync(folder) ? await readdir(folder) : []
  const removed = names.filter((name) => name.startsWith(companyPart(companyId)))
  await Promise.all(removed.map((name) => rm(join(folder, name), { force: true })))
}

/** The company of a question, with which the names of its files begin. */
function companyPart(companyId: string): string {
  return hash('sha256', companyId).slice(0, 16)
}

/** `requested`: all that the answer depends on, besides the company and the state of its data. */
export function questionOf(companyId: string, requested: unknown): string {
  return companyPart(companyId) + hash('sha256', JSON.stringify(requested))
}

export interface SpoolSettings {
  readonly folder: string
  /** All files together take no more. */
  readonly maxBytes: number
  /** So much of the disk is left to others. */
  readonly leavesBytes: number
  /** How long a file is kept that nobody reads. */
  readonly keptMs: number
  readonly now: () => number
  readonly newId: () => string
}

/** What identifies a file. Both are texts of letters and digits. */
export interface SpoolKey {
  /** Made of the company, the rights of the caller and the question (`questionOf`): nobody else finds the file. */
  readonly question: string
  /** A hash of the state of the data. */
  readonly state: string
}

/** What is known of a file besides its bytes. */
export interface SpoolNotes {
  readonly rows: number
  readonly isCut: boolean
  /** Undefined where changes are not recorded. */
  readonly changeNumber?: number | undefined
}

export interface SpooledFile extends SpoolKey, SpoolNotes {
  readonly path: string
  readonly id: string
  readonly bytes: number
  /** The time when it was complete. */
  readonly madeAt: number
  /** The time of its last use. */
  readonly usedAt: number
}

const COMPLETE =
  /^(?<question>\w+)\.(?<state>\w+)\.(?<id>[\w-]+)\.(?<madeAt>\d+)\.(?<rows>\d+)\.(?<changeNumber>\d*)\.(?<cut>[01])\.done$/
const INCOMPLETE = '.part'
/** So much is written between two looks at the room that is left. */
const CHECKED_BYTES = 8 * 1024 * 1024

export class SpoolFolder {
  readonly #settings: SpoolSettings

  private constructor(settings: SpoolSettings) {
    this.#settings = settings
  }

  /** Creates the folder and removes what is too old in it. */
  static async open(settings: SpoolSettings): Promise<SpoolFolder> {
    await mkdir(settings.folder, { recursive: true, mode: 0o700 })
    const spool = new SpoolFolder(settings)
    await spool.sweep()
    return spool
  }

  /** The files of a question, the newest first. */
  async find(question: string): Promise<SpooledFile[]> {
    const files = await this.#files()
    const found = files.flatMap((file) => (file.complete?.question === question ? [file.complete] : []))
    return found.sort((one, other) => other.madeAt - one.madeAt)
  }

  /** Marks a file as used, so that it is kept on. */
  async keep({ path }: SpooledFile): Promise<void> {
    const at = new Date(this.#settings.now())
    await utimes(path, at, at).catch(ignoreDisk)
  }

  /**
   * Writes a file, which is there from when this resolves, and on disk. Throws a Problem (503) when there is no room,
   * and what the stream throws; then nothing is left of it.
   */
  async add(key: SpoolKey, notes: Omit<SpoolNotes, 'rows'>, content: ByteStream): Promise<SpooledFile> {
    const { folder, newId, now } = this.#settings
    const id = newId()
    const partial = join(folder, `${key.question}.${id}${INCOMPLETE}`)
    try {
      const { rows, bytes } = await this.#write(partial, content)
      const madeAt = now()
      const { changeNumber = '', isCut } = notes
      const name = [key.question, key.state, id, madeAt, rows, changeNumber, Number(isCut), 'done'].join('.')
      const path = join(folder, name)
      await onDisk(rename(partial, path)).catch(throwGone)
      return { ...key, ...notes, rows, path, id, bytes, madeAt, usedAt: madeAt }
    } catch (error) {
      await content.return(0).catch(() => {})
      await rm(partial, { force: true }).catch(ignoreDisk)
      throw error
    }
  }

  /** Removes files that were not used for long: what is left of a process that has ended, too. */
  async sweep(): Promise<void> {
    const { keptMs, now } = this.#settings
    const files = await this.#files()
    for (const { path, usedAt } of files) if (now() - usedAt > keptMs) await remove(path)
  }

  async #write(path: string, content: ByteStream): Promise<{ rows: number; bytes: number }> {
    await using file = await onDisk(open(path, 'wx', 0o600))
    return await this.#append(file, content)
  }

  async #append(file: FileHandle, content: ByteStream): Promise<{ rows: number; bytes: number }> {
    let [bytes, checked] = [0, 0]
    await this.#makeRoom()
    for (;;) {
      const next = await content.next()
      if (next.done) {
        await onDisk(file.sync())
        return { rows: next.value, bytes }
      }
      if (bytes - checked > CHECKED_BYTES) {
        await this.#makeRoom()
        checked = bytes
      }
      await onDisk(file.writeFile(next.value))
      bytes += next.value.length
    }
  }

  /** Removes the files that nobody has used for the longest time, until others fit. */
  async #makeRoom(): Promise<void> {
    const { folder, maxBytes, leavesBytes } = this.#settings
    await this.sweep()
    const files = await this.#files()
    const removable = files.filter(({ complete }) => complete).sort((one, other) => one.usedAt - other.usedAt)
    let used = files.reduce((sum, one) => sum + one.bytes, 0)
    while (used + CHECKED_BYTES > maxBytes || freeBytes(folder) - CHECKED_BYTES < leavesBytes) {
      const oldest = removable.shift()
      if (!oldest) throw noRoom()
      await remove(oldest.path)
      used -= oldest.bytes
    }
  }

  async #files(): Promise<FoundFile[]> {
    const { folder } = this.#settings
    const names = await onDisk(readdir(folder))
    const found = await Promise.all(names.map((name) => foundFile(join(folder, name), name)))
    return found.filter((file) => file !== undefined)
  }
}

interface FoundFile {
  readonly path: string
  readonly bytes: number
  readonly usedAt: number
  readonly complete: SpooledFile | undefined
}

async function foundFile(path: string, name: string): Promise<FoundFile | undefined> {
  const parts = COMPLETE.exec(name)?.groups
  if (!parts && !name.endsWith(INCOMPLETE)) return undefined
  // Another process may have removed it.
  const found = await stat(path).catch(ignoreDisk)
  if (!found) return undefined
  const common = { path, bytes: found.size, usedAt: found.mtimeMs }
  return { ...common, complete: parts && { ...common, ...notesIn(parts) } }
}

function notesIn(parts: Record<string, string | undefined>): Omit<SpooledFile, 'path' | 'bytes' | 'usedAt'> {
  const { question = '', state = '', id = '', madeAt = '', rows = '', changeNumber = '', cut = '' } = parts
  const number = changeNumber === '' ? undefined : Number(changeNumber)
  const counted = { madeAt: Number(madeAt), rows: Number(rows) }
  return { question, state, id, ...counted, isCut: cut === '1', changeNumber: number }
}

async function remove(path: string): Promise<void> {
  await rm(path, { force: true }).catch(ignoreDisk)
}

/** What cannot be removed or read now will be later. */
function ignoreDisk(error: unknown): undefined {
  if (codeOf(error) === undefined) throw error
  return undefined
}

/** Throws a Problem for a file that was removed meanwhile. */
export function throwGone(error: unknown): never {
  throw codeOf(error) === 'ENOENT' ? unavailable('The file is not kept any more: ask for it again.', 1, error) : error
}

function noRoom() {
  return unavailable(
    'There is no room to keep this file, which HEAD and Range need. A GET without Range is answered as it is made.',
    30,
  )
}
