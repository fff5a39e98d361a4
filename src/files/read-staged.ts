import { createReadStream } from 'node:fs'
import { diskFault } from './disk-fault.ts'

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
