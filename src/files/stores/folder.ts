// File contents in a folder of a disk. What is acknowledged is on the disk: the bytes, the name, and every folder above.
import type { Dirent } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { Problem } from '../../errors/problem.ts'
import {
  type ByteRange,
  type FileHash,
  type FileReference,
  type FileStore,
  type KeptFile,
  MissingFile,
  MOST_DERIVED,
  type Places,
  type StagedFile,
} from '../file-store.ts'
import { noteMoved, Staging } from '../staging.ts'
import { contentPath, derivedPath, isCompanyFolder, parseContentPath } from './content-path.ts'
import { closeFile, type Descriptor, openFile, readInto, syncFolder } from './descriptors.ts'
import { codeOf, onDisk } from './disk-fault.ts'
import { Turns } from './turns.ts'

/** Read at once: few round trips for a large content, little memory for many readers. */
const READ_BYTES = 256 * 1024
/** Folders known to be on the disk. Each takes some 200 bytes; beyond this they are learned again. */
const MOST_KNOWN_FOLDERS = 100_000

/** Where contents wait: on the same file system, so that keeping is a rename. */
export function stagingFolder(root: string): string {
  return join(root, 'staging')
}

/** Opens the store of a folder, and makes the folder. */
export async function openFolderStore(root: string): Promise<FileStore> {
  const folder = resolve(root)
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (made !== undefined) await syncUpwards(dirname(folder), dirname(made))
    return new FolderStore(folder, await Staging.open(stagingFolder(folder)))
  } catch (error) {
    throw new Error(`the folder of the file store cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

class FolderStore implements FileStore {
  readonly #root: string
  readonly #staging: Staging
  readonly #turns = new Turns()
  readonly #known = new Set<string>()

  constructor(root: string, staging: Staging) {
    this.#root = root
    this.#staging = staging
  }

  async keep(companyId: string, staged: StagedFile): Promise<void> {
    const path = this.#pathOf(companyId, staged.hash)
    await onDisk(requireWhole(staged))
    await this.#turns.take(path, async () => {
      await onDisk(this.#makeFolder(dirname(path)))
      await onDisk(move(staged.path, path))
      noteMoved(staged)
      await onDisk(syncFolder(dirname(path)))
    })
  }

  async read(companyId: string, hash: FileHash, range?: ByteRange): Promise<Readable> {
    const handle = await this.#open(companyId, hash)
    const stream = Readable.from(chunksOf(handle, range), { objectMode: false, highWaterMark: READ_BYTES })
    // Not in the generator: one that was never begun would not come to its end.
    return stream.once('close', () => void handle.close().catch(() => {}))
  }

  async *pieces(
    companyId: string,
    { hash, size }: FileReference,
    places: Places,
  ): AsyncGenerator<Uint8Array, void, void> {
    const file = await onDisk(ifThere(openFile(this.#pathOf(companyId, hash), 'r')))
    if (file === undefined) throw new MissingFile(companyId, hash)
    try {
      yield* piecesOf(file, size, places)
    } finally {
      closeFile(file)
    }
  }

  async *list(): AsyncGenerator<KeptFile, void, void> {
    for await (const path of this.#files('')) {
      const name = parseContentPath(path)
      const found = name && (await onDisk(ifThere(stat(join(this.#root, path)))))
      if (found) yield { ...name, size: found.size, keptAt: found.mtime }
    }
  }

  async remove(companyId: string, hash: FileHash): Promise<void> {
    const path = this.#pathOf(companyId, hash)
    await this.#turns.take(path, async () => {
      await onDisk(ifThere(unlink(path)))
      for (const name of await onDisk(derivedOf(path))) await onDisk(ifThere(unlink(join(dirname(path), name))))
    })
  }

  async findDerived(companyId: string, hash: FileHash, name: string): Promise<Uint8Array | undefined> {
    return onDisk(ifThere(readFile(derivedPath(this.#pathOf(companyId, hash), name))))
  }

  async listDerived(companyId: string, hash: FileHash): Promise<string[]> {
    const content = this.#pathOf(companyId, hash)
    return (await onDisk(derivedOf(content))).map((name) => name.slice(basename(content).length + 1))
  }

  async keepDerived(companyId: string, hash: FileHash, name: string, bytes: Uint8Array): Promise<void> {
    const content = this.#pathOf(companyId, hash)
    const path = derivedPath(content, name)
    try {
      await this.#turns.take(content, async () => {
        const isOrphan = (await ifThere(stat(content))) === undefined
        if (isOrphan || (await derivedOf(content)).length >= MOST_DERIVED) return
        const staged = await this.#staging.take(Readable.from([bytes]), bytes.length)
        await rename(staged.path, path).finally(() => this.#staging.discard(staged))
      })
    } catch (error) {
      // It can be made again.
      if (!(error instanceof Problem) && codeOf(error) === undefined) throw error
    }
  }

  async close(): Promise<void> {}

  #pathOf(companyId: string, hash: FileHash): string {
    return join(this.#root, contentPath({ companyId, hash }))
  }

  async #open(companyId: string, hash: FileHash): Promise<FileHandle> {
    const handle = await onDisk(ifThere(open(this.#pathOf(companyId, hash))))
    if (!handle) throw new MissingFile(companyId, hash)
    return handle
  }

  /**
   * A folder that is there may still be lost in a power cut: another request, or a process that was killed, has just made
   * it. So what counts is whether this process has seen it on the disk.
   */
  async #makeFolder(folder: string): Promise<void> {
    if (this.#known.has(folder) && (await ifThere(stat(folder)))) return
    await makeFolders(folder, this.#root)
    await syncUpwards(dirname(folder), this.#root)
    if (this.#known.size >= MOST_KNOWN_FOLDERS) this.#known.clear()
    this.#known.add(folder)
  }

  /** All files in the folders of companies, by their path below the root. */
  async *#files(below: string): AsyncGenerator<string, void, void> {
    for await (const entry of entriesOf(join(this.#root, below))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory() && (below !== '' || isCompanyFolder(entry.name))) yield* this.#files(path)
      else if (entry.isFile()) yield path
    }
  }
}

/** Nobody else should write there: an error of the operator, not of a caller. */
async function requireWhole({ path, size }: StagedFile): Promise<void> {
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

/** Makes a folder and those above it, below the last one. Not `recursive`: that tells ENOENT for a disk that is read-only. */
async function makeFolders(folder: string, last: string): Promise<void> {
  if (folder === last) return
  await makeFolders(dirname(folder), last)
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Syncs a folder and those above it, up to the last one. */
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

/** All that is in a file which should have so many bytes. */
async function* piecesOf(
  file: Descriptor,
  size: number,
  [place, other]: Places,
): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; ; [place, other] = [other, place]) {
    // A byte more than is left: where none comes, the file has been read to its end.
    const length = Math.min(place.length, Math.max(size - at, 0) + 1)
    const { bytesRead } = await onDisk(readInto(file, place, 0, length, at))
    if (bytesRead > 0) yield place.subarray(0, bytesRead)
    at += bytesRead
    if (bytesRead === 0 || (at === size && bytesRead < length)) return
  }
}

/** The names of what was derived from the content that stands, or stood, at the path. */
async function derivedOf(path: string): Promise<string[]> {
  const names = (await ifThere(readdir(dirname(path)))) ?? []
  return names.filter((name) => name.startsWith(`${basename(path)}.`))
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent, void, void> {
  const found = await onDisk(ifThere(opendir(folder)))
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

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
