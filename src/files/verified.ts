// Contents on their way out: what does not fit its hash is never given to its end.
import { createHash } from 'node:crypto'
import type { FileReference, FileStore } from './file-store.ts'

/** The bytes in the store are not those that were kept. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
}

/**
 * A content piece by piece, compared with its hash on the way: the last piece is held back until that fits, so that nobody
 * takes a damaged content for whole. A piece is done with when the next one is asked for. Throws MissingFile, a Problem (503), or, in place of the last piece, DamagedFile.
 */
export async function* readVerified(
  files: FileStore,
  companyId: string,
  file: FileReference,
): AsyncGenerator<Uint8Array, void, void> {
  const { hash, size } = file
  const digest = createHash('sha256')
  let held: Uint8Array | undefined
  let read = 0
  for await (const piece of files.pieces(companyId, file)) {
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
}
