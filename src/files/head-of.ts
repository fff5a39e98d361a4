import { open } from 'node:fs/promises'
import { HEAD_BYTES } from './content-type.ts'
import { onDisk } from './stores/disk-fault.ts'

/** How a file begins. Throws a Problem (503) when the disk fails. */
export function headOf(path: string): Promise<Buffer> {
  return onDisk(readHead(path))
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
