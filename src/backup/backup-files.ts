// Files of a backup: written durably, and checked against their size and hash on reading.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { messageOf } from '../base/thrown.ts'
import { syncUpwards } from '../files/folder.ts'
import type { BackupFile } from './manifest.ts'

const READ_BYTES = 256 * 1024

/** A missing, unreadable or damaged file of a backup. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault'
}

/** Replaces the file atomically. After this call the content is on disk. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
  await syncUpwards(dirname(path), dirname(path))
}

/** Syncs an existing file to disk, and returns its manifest entry. */
export async function syncAndHash(folder: string, name: string): Promise<BackupFile> {
  const path = join(folder, name)
  const handle = await open(path, 'r+')
  await handle.sync().finally(() => handle.close())
  const digest = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
    digest.update(chunk)
    sizeBytes += chunk.length
  }
  return { name, sha256: digest.digest('hex'), sizeBytes }
}

/** The bytes of a file. Fails with a BackupFault at the end when size or hash differ. */
export function readVerifiedFile(
  path: string,
  expected: Pick<BackupFile, 'sha256' | 'sizeBytes'>,
  name: string,
): Readable {
  return Readable.from(verifiedChunks(path, expected, name), { objectMode: false })
}

async function* verifiedChunks(
  path: string,
  { sha256, sizeBytes }: Pick<BackupFile, 'sha256' | 'sizeBytes'>,
  name: string,
): AsyncGenerator<Uint8Array, void, void> {
  const digest = createHash('sha256')
  let read = 0
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new BackupFault(`missing: ${name}`)
  // Most contents are small, and each read takes as much memory as it may read.
  const highWaterMark = Math.max(1, Math.min(READ_BYTES, found.size))
  try {
    for await (const piece of createReadStream(path, { highWaterMark })) {
      digest.update(piece)
      read += piece.length
      yield piece
    }
  } catch (cause) {
    throw new BackupFault(`unreadable: ${name}: ${messageOf(cause)}`, { cause })
  }
  if (read !== sizeBytes) throw new BackupFault(`damaged: ${name} has ${read} of ${sizeBytes} bytes`)
  if (digest.digest('hex') !== sha256) throw new BackupFault(`damaged: ${name} is not what was written`)
}

/** The number of concurrent tasks, which hides the latency of a remote file store. */
const CONCURRENCY = 4

/** Runs the work for all items with limited concurrency. After a failure it starts no more and waits for the rest. */
export async function forEachConcurrently<T>(items: AsyncGenerator<T, void, void>, work: (item: T) => Promise<void>) {
  let isFailed = false
  const runWorker = async () => {
    while (!isFailed) {
      try {
        const next = await items.next()
        if (next.done) return
        await work(next.value)
      } catch (error) {
        isFailed = true
        throw error
      }
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, runWorker))
  await items.return()
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
