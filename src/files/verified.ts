// Reads contents and verifies their hash. A damaged content never reaches the caller completely.
import { createHash } from 'node:crypto'
import { BufferPool } from '../base/buffer-pool.ts'
import type { FileReference, FileStore } from './file-store.ts'

/** Chunk size: few system calls for a large content, little memory for many readers. A multiple of 3, for base64. */
const CHUNK_BYTES = 3 * 96 * 1024
/** Two buffers for each of the usual number of concurrent readers. */
const BUFFERS = new BufferPool(CHUNK_BYTES, 16)

/** The bytes in the store differ from those that were stored. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
}

/**
 * Streams a content and computes its hash. The last chunk is held back until the hash matches, so that a damaged
 * content is never taken for complete. A chunk is only valid until the next one is requested. Throws MissingFile, a
 * Problem (503), or, instead of the last chunk, DamagedFile.
 */
export async function* readVerified(
  files: FileStore,
  companyId: string,
  file: FileReference,
): AsyncGenerator<Uint8Array, void, void> {
  const { hash, size } = file
  const digest = createHash('sha256')
  // One byte more than expected, to detect a longer file.
  const buffers = [BUFFERS.take(size + 1), BUFFERS.take(size + 1)] as const
  let held: Uint8Array | undefined
  let read = 0
  for await (const chunk of files.readChunks(companyId, file, buffers)) {
    digest.update(chunk)
    read += chunk.length
    // The response has announced `size` bytes: it must not be complete before the comparison.
    if (read > size) break
    if (held) yield held
    held = chunk
  }
  if (read !== size || digest.digest('hex') !== hash) {
    throw new DamagedFile(`the file ${hash} of company ${companyId} is damaged: ${read} of ${size} bytes were read`)
  }
  if (held) yield held
  // The consumer has requested another chunk, so the buffers are free. If it stops early, the operating system may
  // still be sending from them: they are not reused then.
  for (const buffer of buffers) BUFFERS.give(buffer)
}
