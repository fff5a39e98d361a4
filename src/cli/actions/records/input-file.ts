// A file that is read several times. What a pipe or a device has is read once, into a temporary file.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const CHUNK_BYTES = 1024 * 1024

interface InputFile {
  readonly path: string
  /** Where the rows are told that are not imported. */
  readonly rejects: string
}

export function inputFileAt(file: string): InputFile {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found || found.isFile() || found.isDirectory()) return { path: file, rejects: rejectsOf(file) }
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-input-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, basename(file))
  copyBytes(file, path)
  return { path, rejects: rejectsOf(basename(file)) }
}

function rejectsOf(file: string): string {
  return `${file}.rejects.csv`
}

function copyBytes(from: string, to: string): void {
  const [source, target] = [openSync(from, 'r'), openSync(to, 'wx', 0o600)]
  const chunk = Buffer.alloc(CHUNK_BYTES)
  try {
    for (let bytes = readSync(source, chunk); bytes > 0; bytes = readSync(source, chunk)) {
      for (let done = 0; done < bytes; ) done += writeSync(target, chunk, done, bytes - done)
    }
  } finally {
    closeSync(source)
    closeSync(target)
  }
}
