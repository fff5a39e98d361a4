// Receives contents into staging files and hashes them. A complete content is then stored or discarded.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { BufferPool } from '../base/buffer-pool.ts'
import { isProcessAlive } from '../base/process/processes.ts'
import { coded } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import { HEAD_BYTES } from './content-type.ts'
import { append, closeFile, codeOf, type Descriptor, diskFault, onDisk, openFile, syncFile } from './disk.ts'
import type { GivenContent, StagedFile } from './file-store.ts'

/** Size of the write buffer: a small file takes one write, a large one few. */
const WRITE_BYTES = 256 * 1024
/** Enough buffers for the usual number of concurrent uploads. */
const BUFFERS = new BufferPool(WRITE_BYTES, 8)
/** Staging files of processes on other hosts are deleted after this time. No request lasts as long. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

const HOST = hostname()
  .replace(/[^A-Za-z0-9]/g, '_')
  .slice(0, 64)
const NAME = /^(?<host>\w*)\.(?<pid>\d+)\.(?<run>[0-9a-f-]{36})\.[0-9a-f-]{36}$/
/** Distinguishes this process from an earlier one with the same pid. */
const RUN = randomUUID()

/** 413 for a file. `limitBytes` applies to the decoded content. */
function contentTooLarge(limitBytes: number): Problem {
  return coded(413, 1010, `The content of the file is larger than the limit of ${limitBytes} bytes.`)
}

/** Files that have been moved into the store. */
const moved = new WeakSet<StagedFile>()

/** Marks a file as moved into the store, so that `discard` ignores it. */
export function markMoved(staged: StagedFile): void {
  moved.add(staged)
}

export interface Staging {
  /**
   * Receives a complete content and syncs it to disk. Throws `contentTooLarge` beyond the limit, a Problem (503) when
   * the disk fails, and the errors of the source; then the file is removed. A rejected source is closed early. A chunk
   * may be reused after the next one has been requested.
   */
  take(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StagedFile>
  /** Removes a staged file, if there is one, unless it has been moved into the store. */
  discard(content: GivenContent): Promise<void>
}

export class StagingFolder implements Staging {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Creates the folder, and deletes files that killed processes have left in it. */
  static async open(folder: string): Promise<StagingFolder> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) {
      if (await isAbandoned(folder, name)) await rm(join(folder, name), { force: true })
    }
    return new StagingFolder(folder)
  }

  async take(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StagedFile> {
    const path = join(this.#folder, `${HOST}.${process.pid}.${RUN}.${randomUUID()}`)
    const file = await onDisk(openFile(path, 'wx', 0o600))
    try {
      return { path, ...(await receive(source, limitBytes, file)) }
    } catch (error) {
      await removeQuietly(path)
      throw error
    }
  }

  async discard(content: GivenContent): Promise<void> {
    if (typeof content !== 'string' && !moved.has(content)) await removeQuietly(content.path)
  }
}

/** Requests a chunk only after the previous ones have been written. Closes the file. */
async function receive(source: AsyncIterable<Uint8Array>, limitBytes: number, file: Descriptor) {
  const written = new WrittenFile(file)
  let size = 0
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > limitBytes) throw contentTooLarge(limitBytes)
      await written.write(chunk)
    }
    return { size, ...(await written.end()) }
  } finally {
    closeFile(file)
  }
}

/** Buffers, hashes and writes the chunks of one content. */
class WrittenFile {
  readonly #file: Descriptor
  readonly #hash = createHash('sha256')
  #buffer: Buffer = Buffer.alloc(0)
  #length = 0
  #head: Buffer | undefined

  constructor(file: Descriptor) {
    this.#file = file
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const copied = this.#fill(chunk.subarray(at))
      at += copied
      if (this.#length === WRITE_BYTES) await this.#flush()
    }
  }

  async end(): Promise<Pick<StagedFile, 'hash' | 'head'>> {
    await this.#flush()
    BUFFERS.give(this.#buffer)
    this.#buffer = Buffer.alloc(0)
    await onDisk(syncFile(this.#file))
    return { hash: this.#hash.digest('hex'), head: this.#head ?? Buffer.alloc(0) }
  }

  /** Copies bytes to the buffer; returns how many fitted. */
  #fill(bytes: Uint8Array): number {
    const copied = Math.min(bytes.length, WRITE_BYTES - this.#length)
    const needed = this.#length + copied
    if (needed > this.#buffer.length) {
      // A first chunk gets a buffer of its size, because most contents have one chunk. Others get a full buffer.
      const larger = BUFFERS.take(this.#length === 0 ? needed : WRITE_BYTES)
      larger.set(this.#buffer.subarray(0, this.#length))
      this.#buffer = larger
    }
    this.#buffer.set(bytes.subarray(0, copied), this.#length)
    this.#length = needed
    return copied
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#length)
    this.#head ??= Buffer.from(bytes.subarray(0, HEAD_BYTES))
    // A thread of the pool writes while this thread computes the hash.
    const written = onDisk(append(this.#file, bytes))
    this.#hash.update(bytes)
    await written
    this.#length = 0
  }
}

/** Ignores errors of the disk: the next start deletes the file. */
async function removeQuietly(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}

/** The folder may be shared: files of running processes must stay, and so must files with other names. */
async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const { host, pid, run } = NAME.exec(name)?.groups ?? {}
  if (run === undefined || run === RUN) return false
  if (host === HOST && (Number(pid) === process.pid || !isProcessAlive(Number(pid)))) return true
  const found = await stat(join(folder, name)).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS
}

const CHUNK_BYTES = 256 * 1024

/**
 * Reads a staged content that will not be stored. Its file may be removed once reading has started. Throws a Problem
 * (503) when the disk fails.
 */
export async function* readStaged({ path }: { readonly path: string }): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) yield chunk as Uint8Array
  } catch (error) {
    throw diskFault(error)
  }
}
