// Where a content waits until it is known whole: received into a file of its own, hashed on the way, then kept or discarded.
import { createHash, type Hash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { coded } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import type { StagedFile } from './file-store.ts'
import { codeOf, onDisk } from './stores/disk-fault.ts'

/** Gathered before they are written: a small file takes one write, a large one few. Also the most hashed at once. */
const WRITE_BYTES = 256 * 1024
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
   * Receives a content to its end. Throws `contentTooLarge` beyond the limit, a Problem (503) when the disk fails, and what
   * the source throws; then nothing of it is left. The source is ended early when it is refused, and its chunks must not
   * change afterwards.
   */
  async take(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StagedFile> {
    const path = join(this.#folder, `${HOST}.${process.pid}.${RUN}.${randomUUID()}`)
    const handle = await onDisk(open(path, 'wx', 0o600))
    const hash = createHash('sha256')
    try {
      const size = await receive(source, limitBytes, (bytes) => writeWhole(handle, bytes, hash))
      await onDisk(handle.close())
      return { path, hash: hash.digest('hex'), size }
    } catch (error) {
      await handle.close().catch(() => {})
      await removeQuietly(path)
      throw error
    }
  }

  /** Takes a staged file away, unless it was kept. */
  async discard(staged: StagedFile): Promise<void> {
    await removeQuietly(staged.path)
  }
}

type Write = (bytes: Uint8Array) => Promise<void>

/** Takes the next chunk only after the last ones are written. Gives the size. */
async function receive(source: AsyncIterable<Uint8Array>, limitBytes: number, write: Write): Promise<number> {
  let size = 0
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > limitBytes) throw contentTooLarge(limitBytes)
    gathered.push(chunk)
    gatheredBytes += chunk.length
    if (gatheredBytes < WRITE_BYTES) continue
    await write(joined(gathered))
    gathered = []
    gatheredBytes = 0
  }
  await write(joined(gathered))
  return size
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** The operating system may write less than it was given. What is hashed is what was written. */
async function writeWhole(handle: FileHandle, bytes: Uint8Array, hash: Hash): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await onDisk(handle.write(bytes, at, Math.min(bytes.length - at, WRITE_BYTES)))
    hash.update(bytes.subarray(at, at + bytesWritten))
    at += bytesWritten
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
