import { createReadStream } from 'node:fs'
import { diskFault } from './stores/disk-fault.ts'

const PIECE_BYTES = 256 * 1024

/**
 * A content that is received and will not be kept; its file may be taken away once reading has begun. Throws a Problem (503)
 * when the disk fails.
 */
export async function* readStaged({ path }: { readonly path: string }): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) yield piece as Uint8Array
  } catch (error) {
    throw diskFault(error)
  }
}
