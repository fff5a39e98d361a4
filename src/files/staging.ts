// Where a content waits until it is known whole: received into a file of its own, hashed on the way, then kept or discarded.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { BufferPool } from '../base/buffer-pool.ts'
import { coded } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import { HEAD_BYTES } from './content-type.ts'
import type { StagedFile } from './file-store.ts'
import { append, closeFile, type Descriptor, openFile, syncFile } from './stores/descriptors.ts'
import { codeOf, onDisk } from './stores/disk-fault.ts'

/** Gathered before they are written: a small file takes one write, a large one few. */
const WRITE_BYTES = 256 * 1024
/** For as many contents as usually come at once. */
const BUFFERS = new BufferPool(WRITE_BYTES, 8)
/** No request lasts as long: what another process has left, and cannot be asked for, is swept after this. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

const HOST = hostname()
  .replace(/[^A-Za-z0-9]/g, '_')
  .slice(0, 64)
const NAME = /^(?<host>\w*)\.(?<pid>\d+)\.(?<run>[0-9a-f-]{36})\.[0-9a-f-]{36}$/
/** Tells this process from an earlier one with the same number. */
const RUN = randomUUID()

/** 413 for a file; `limitBytes` is counted after decoding. */
function contentTooLarge(limitBytes: number): Problem {
  return coded(413, 1010, `The content of the file is larger than the limit of ${limitBytes} bytes.`)
}

/** Files that were moved to where they are kept. */
const moved = new WeakSet<StagedFile>()

/** A file that was moved must not be looked for when it is discarded. */
export function noteMoved(staged: StagedFile): void {
  moved.add(staged)
}

export class Staging {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Makes the folder, and sweeps what a killed process has left in it. */
  static async open(folder: string): Promise<Staging> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) {
      if (await isAbandoned(folder, name)) await rm(join(folder, name), { force: true })
    }
    return new Staging(folder)
  }

  /**
   * Receives a content to its end and puts it on the disk. Throws `contentTooLarge` beyond the limit, a Problem (503) when the disk fails, and what
   * the source throws; then nothing of it is left. The source is ended early when it is refused. A chunk is done with when
   * the next one is asked for.
   */
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

  /** Takes a staged file away, unless it was kept. */
  async discard(staged: StagedFile): Promise<void> {
    if (!moved.has(staged)) await removeQuietly(staged.path)
  }
}

/** Takes the next chunk only after the last ones are written. Closes the file. */
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

/** Gathers what is written: in one buffer for all of a content. */
class WrittenFile {
  readonly #file: Descriptor
  readonly #hash = createHash('sha256')
  #gathered: Buffer = Buffer.alloc(0)
  #length = 0
  #head: Buffer | undefined

  constructor(file: Descriptor) {
    this.#file = file
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const taken = this.#gather(chunk.subarray(at))
      at += taken
      if (this.#length === WRITE_BYTES) await this.#flush()
    }
  }

  async end(): Promise<Pick<StagedFile, 'hash' | 'head'>> {
    await this.#flush()
    BUFFERS.give(this.#gathered)
    this.#gathered = Buffer.alloc(0)
    await onDisk(syncFile(this.#file))
    return { hash: this.#hash.digest('hex'), head: this.#head ?? Buffer.alloc(0) }
  }

  /** Gives how many bytes there was room for. */
  #gather(bytes: Uint8Array): number {
    const taken = Math.min(bytes.length, WRITE_BYTES - this.#length)
    const needed = this.#length + taken
    if (needed > this.#gathered.length) {
      // Most contents come in one chunk, or in many.
      const larger = BUFFERS.take(this.#length === 0 ? needed : WRITE_BYTES)
      larger.set(this.#gathered.subarray(0, this.#length))
      this.#gathered = larger
    }
    this.#gathered.set(bytes.subarray(0, taken), this.#length)
    this.#length = needed
    return taken
  }

  async #flush(): Promise<void> {
    const bytes = this.#gathered.subarray(0, this.#length)
    this.#head ??= Buffer.from(bytes.subarray(0, HEAD_BYTES))
    // The thread that writes needs none of this one's time.
    const written = onDisk(append(this.#file, bytes))
    this.#hash.update(bytes)
    await written
    this.#length = 0
  }
}

/** What cannot be removed now is swept at the next start. */
async function removeQuietly(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}

/** The folder may be shared: a file that a living process still writes must stay. Foreign names are none of ours. */
async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const { host, pid, run } = NAME.exec(name)?.groups ?? {}
  if (run === undefined || run === RUN) return false
  if (host === HOST && (Number(pid) === process.pid || !isRunning(Number(pid)))) return true
  const found = await stat(join(folder, name)).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}
