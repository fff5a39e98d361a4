// A file store in a folder on disk. An acknowledged content is durable: its bytes, its name, and all parent folders are
// synced.
import type { Dirent } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { Problem } from '../errors/problem.ts'
import { contentPath, isCompanyFolder, parseContentPath, renditionPath } from './content-path.ts'
import { closeFile, codeOf, type Descriptor, onDisk, openFile, readInto, syncFolder } from './disk.ts'
import {
  type ByteRange,
  type ChunkBuffers,
  type FileHash,
  type FileReference,
  type FileStore,
  MAX_RENDITIONS,
  MissingFile,
  type StagedFile,
  type StoredFile,
} from './file-store.ts'
import { KeyedMutex } from './keyed-mutex.ts'
import { markMoved, type Staging, StagingFolder } from './staging.ts'

/** Chunk size: few system calls for a large content, little memory for many readers. */
const READ_BYTES = 256 * 1024
/** Maximum number of folders remembered as synced, of about 200 bytes each; beyond it the set is cleared. */
const MAX_SYNCED_FOLDERS = 100_000

/** The staging folder: on the same file system, so that storing a content is a rename. */
export function stagingFolder(root: string): string {
  return join(root, 'staging')
}

/** Opens the store in a folder, and creates the folder if it is missing. */
export async function openFolderStore(root: string): Promise<FileStore> {
  const folder = resolve(root)
  try {
    const created = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (created !== undefined) await syncUpwards(dirname(folder), dirname(created))
    return new FolderStore(folder, await StagingFolder.open(stagingFolder(folder)))
  } catch (error) {
    throw new Error(`the folder of the file store cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

class FolderStore implements FileStore {
  readonly #root: string
  readonly #staging: Staging
  readonly #locks = new KeyedMutex()
  readonly #syncedFolders = new Set<string>()

  constructor(root: string, staging: Staging) {
    this.#root = root
    this.#staging = staging
  }

  async put(companyId: string, staged: StagedFile): Promise<void> {
    const path = this.#pathOf(companyId, staged.hash)
    await onDisk(requireCompleteFile(staged))
    await this.#locks.run(path, async () => {
      await onDisk(this.#makeFolder(dirname(path)))
      await onDisk(move(staged.path, path))
      markMoved(staged)
      await onDisk(syncFolder(dirname(path)))
    })
  }

  async read(companyId: string, hash: FileHash, range?: ByteRange): Promise<Readable> {
    const handle = await this.#open(companyId, hash)
    const stream = Readable.from(chunksOf(handle, range), { objectMode: false, highWaterMark: READ_BYTES })
    // Not in a `finally` of the generator, which would not run for a generator that was never started.
    return stream.once('close', () => void handle.close().catch(() => {}))
  }

  async *readChunks(
    companyId: string,
    { hash, size }: FileReference,
    buffers: ChunkBuffers,
  ): AsyncGenerator<Uint8Array, void, void> {
    const file = await onDisk(ifExists(openFile(this.#pathOf(companyId, hash), 'r')))
    if (file === undefined) throw new MissingFile(companyId, hash)
    try {
      yield* chunksUntilEnd(file, size, buffers)
    } finally {
      closeFile(file)
    }
  }

  async *list(): AsyncGenerator<StoredFile, void, void> {
    for await (const path of this.#files('')) {
      const name = parseContentPath(path)
      const found = name && (await onDisk(ifExists(stat(join(this.#root, path)))))
      if (found) yield { ...name, size: found.size, storedAt: found.mtime }
    }
  }

  async remove(companyId: string, hash: FileHash): Promise<void> {
    const path = this.#pathOf(companyId, hash)
    await this.#locks.run(path, async () => {
      await onDisk(ifExists(unlink(path)))
      for (const name of await onDisk(renditionsOf(path))) await onDisk(ifExists(unlink(join(dirname(path), name))))
    })
  }

  async findRendition(companyId: string, hash: FileHash, name: string): Promise<Uint8Array | undefined> {
    return onDisk(ifExists(readFile(renditionPath(this.#pathOf(companyId, hash), name))))
  }

  async listRenditions(companyId: string, hash: FileHash): Promise<string[]> {
    const content = this.#pathOf(companyId, hash)
    return (await onDisk(renditionsOf(content))).map((name) => name.slice(basename(content).length + 1))
  }

  async putRendition(companyId: string, hash: FileHash, name: string, bytes: Uint8Array): Promise<void> {
    const content = this.#pathOf(companyId, hash)
    const path = renditionPath(content, name)
    try {
      await this.#locks.run(content, async () => {
        const isOrphan = (await ifExists(stat(content))) === undefined
        if (isOrphan || (await renditionsOf(content)).length >= MAX_RENDITIONS) return
        const staged = await this.#staging.take(Readable.from([bytes]), bytes.length)
        await rename(staged.path, path).finally(() => this.#staging.discard(staged))
      })
    } catch (error) {
      // A rendition can be created again.
      if (!(error instanceof Problem) && codeOf(error) === undefined) throw error
    }
  }

  async close(): Promise<void> {}

  #pathOf(companyId: string, hash: FileHash): string {
    return join(this.#root, contentPath({ companyId, hash }))
  }

  async #open(companyId: string, hash: FileHash): Promise<FileHandle> {
    const handle = await onDisk(ifExists(open(this.#pathOf(companyId, hash))))
    if (!handle) throw new MissingFile(companyId, hash)
    return handle
  }

  /**
   * An existing folder may still be lost in a power cut, if another request or a killed process has just created it. So
   * every process syncs a folder once before it relies on it.
   */
  async #makeFolder(folder: string): Promise<void> {
    if (this.#syncedFolders.has(folder) && (await ifExists(stat(folder)))) return
    await makeFolders(folder, this.#root)
    await syncUpwards(dirname(folder), this.#root)
    if (this.#syncedFolders.size >= MAX_SYNCED_FOLDERS) this.#syncedFolders.clear()
    this.#syncedFolders.add(folder)
  }

  /** Paths of all files in the folders of companies, relative to the root. */
  async *#files(below: string): AsyncGenerator<string, void, void> {
    for await (const entry of entriesOf(join(this.#root, below))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory() && (below !== '' || isCompanyFolder(entry.name))) yield* this.#files(path)
      else if (entry.isFile()) yield path
    }
  }
}

/** Nothing else should write to the staging folder, so this is an internal error and not a Problem. */
async function requireCompleteFile({ path, size }: StagedFile): Promise<void> {
  const found = await stat(path)
  if (found.size !== size) throw new Error(`a staged file has ${found.size} bytes instead of ${size}`)
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    throw new Error('the staging folder is not on the same file system as the file store', { cause: error })
  }
}

/** Creates a folder and its parents below `last`. Not with `recursive`, which reports ENOENT on a read-only disk. */
async function makeFolders(folder: string, last: string): Promise<void> {
  if (folder === last) return
  await makeFolders(dirname(folder), last)
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Syncs a folder and its parents up to and including `last`. */
export async function syncUpwards(folder: string, last: string): Promise<void> {
  await syncFolder(folder)
  if (folder !== last && folder !== dirname(folder)) await syncUpwards(dirname(folder), last)
}

async function* chunksOf(handle: FileHandle, range: ByteRange | undefined): AsyncGenerator<Uint8Array, void, void> {
  const { size } = await onDisk(handle.stat())
  const end = Math.min(size, (range?.last ?? size) + 1)
  for (let at = range?.first ?? 0; at < end; ) {
    const length = Math.min(READ_BYTES, end - at)
    const { buffer, bytesRead } = await onDisk(handle.read(Buffer.allocUnsafe(length), 0, length, at))
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** Reads a file of the expected size to its actual end. */
async function* chunksUntilEnd(
  file: Descriptor,
  size: number,
  [buffer, other]: ChunkBuffers,
): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; ; [buffer, other] = [other, buffer]) {
    // One byte more than expected: a short read then proves the end of the file without another call.
    const length = Math.min(buffer.length, Math.max(size - at, 0) + 1)
    const { bytesRead } = await onDisk(readInto(file, buffer, 0, length, at))
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead)
    at += bytesRead
    if (bytesRead === 0 || (at === size && bytesRead < length)) return
  }
}

/** The file names of the renditions of the content at this path, which may be deleted already. */
async function renditionsOf(path: string): Promise<string[]> {
  const names = (await ifExists(readdir(dirname(path)))) ?? []
  return names.filter((name) => name.startsWith(`${basename(path)}.`))
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent, void, void> {
  const found = await onDisk(ifExists(opendir(folder)))
  if (!found) return
  try {
    for (;;) {
      const entry = await onDisk(found.read())
      if (!entry) return
      yield entry
    }
  } finally {
    await found.close()
  }
}

async function ifExists<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
