// Replaces a small file atomically and durably: even after a power failure it has the old or the new content, complete.
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { openOutput } from './named-output.ts'

/** Only the owner reads a new file. */
export function saveDurably(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const output = openOutput(file, 0o600)
  try {
    writeSync(output.handle, text)
  } catch (error) {
    output.discard()
    throw error
  }
  output.keep()
  const directory = openSync(dirname(output.path), 'r')
  fsyncSync(directory)
  closeSync(directory)
}
