// Damage to a database file as a faulty disk causes it: bytes of a page differ from what was written.
// No process may have the file open.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { rowsOf } from './process.ts'

/** Restores the original bytes. */
export type Restore = () => void

/** Overwrites the start of the first page of a table or index. */
export function breakPage(folder: string, name: string): Restore {
  return overwrite(folder, pageOf(folder, name).at, Buffer.alloc(64, 0xff))
}

/** Changes a letter in the first page of an index: each page stays readable, but the index disagrees with its table. */
export function changeLetter(folder: string, index: string, text: string): Restore {
  const { at, size } = pageOf(folder, index)
  const found = readFileSync(join(folder, 'tabularium.db')).indexOf(text, at)
  if (found < at || found >= at + size) throw new Error(`${text} does not stand in the first page of ${index}`)
  return overwrite(folder, found, Buffer.from('#'))
}

function pageOf(folder: string, name: string): { at: number; size: number } {
  const [row] = rowsOf(
    folder,
    `select rootpage, (select page_size from pragma_page_size) as size from sqlite_schema where name = '${name}'`,
  )
  return { at: (Number(row?.rootpage) - 1) * Number(row?.size), size: Number(row?.size) }
}

function overwrite(folder: string, at: number, bytes: Buffer): Restore {
  const file = join(folder, 'tabularium.db')
  const before = readFileSync(file).subarray(at, at + bytes.length)
  const write = (what: Buffer) => {
    const handle = openSync(file, 'r+')
    writeSync(handle, what, 0, what.length, at)
    closeSync(handle)
  }
  write(bytes)
  return () => write(before)
}
