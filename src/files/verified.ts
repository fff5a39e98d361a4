// Contents on their way out: what does not fit its hash is never given to its end.
import { createHash } from 'node:crypto'
import { BufferPool } from '../base/buffer-pool.ts'
import type { FileReference, FileStore } from './file-store.ts'

/** Few round trips for a large content, little memory for many readers. In base64, three bytes have no rest. */
const PLACE_BYTES = 3 * 96 * 1024
/** Two for each of those who usually read at once. */
const PLACES = new BufferPool(PLACE_BYTES, 16)

/** The bytes in the store are not those that were kept. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
}

/**
 * A content piece by piece, compared with its hash on the way: the last piece is held back until that fits, so that nobody
 * takes a damaged content for whole. A piece is done with when the next one is asked for. Throws MissingFile, a Problem
 * (503), or, in place of the last piece, DamagedFile.
 */
export async function* readVerified(
  files: FileStore,
  companyId: string,
  file: FileReference,
): AsyncGenerator<Uint8Array, void, void> {
  const { hash, size } = file
  const digest = createHash('sha256')
  // A byte more than there should be: it tells whether there is more.
  const places = [PLACES.take(size + 1), PLACES.take(size + 1)] as const
  let held: Uint8Array | undefined
  let read = 0
  for await (const piece of files.pieces(companyId, file, places)) {
    digest.update(piece)
    read += piece.length
    // What the answer has told as its length must not be there before all is compared.
    if (read > size) break
    if (held) yield held
    held = piece
  }
  if (read !== size || digest.digest('hex') !== hash) {
    throw new DamagedFile(`the file ${hash} of company ${companyId} is damaged: ${read} of ${size} bytes were read`)
  }
  if (held) yield held
  // Asked for more: nobody reads any of it. Who ends it before may have given it to the operating system.
  for (const place of places) PLACES.give(place)
}
