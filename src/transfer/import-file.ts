// Brings a file in, batch by batch: good rows are kept, the others written to a file of their own, and an import that
// was interrupted goes on behind the last batch that was kept.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, openSync, readSync, statSync, type WriteStream } from 'node:fs'
import type { Importer, ReadableRow, Reject } from './importer.ts'
import { FileError, type Row, type RowFormat, readRows } from './read-rows.ts'

export interface ImportReport {
  readonly taken: number
  readonly rejected: number
  /** The line behind which an interrupted import went on; 0 when it began at the first. */
  readonly resumedAfter: number
}

export interface ImportTask {
  readonly file: string
  readonly format: RowFormat
  readonly importer: Importer
  /** The last line that an earlier run is done with. */
  readonly doneUpTo: number
  /** Where rejected rows are written, when there are some. */
  readonly rejects: string
  /** Told how many bytes of the file have been read. */
  progress(bytes: number): void
}

export async function importFile(task: ImportTask): Promise<ImportReport> {
  const { importer, doneUpTo } = task
  const rejects = new RejectsFile(task.rejects)
  const bytes = createReadStream(task.file)
  let [taken, lastLine, isResumed] = [0, doneUpTo, doneUpTo > 0]
  let rows: ReadableRow[] = []
  const reject: Reject = (row, findings) => rejects.add(row, findings)
  const flush = async () => {
    if (lastLine === doneUpTo) return
    taken += await importer.take({ rows, lastLine, isResumed }, reject)
    rows = []
    isResumed = false
    await rejects.drained()
    task.progress(bytes.bytesRead)
  }
  const checkNames = (names: readonly string[]) => {
    const unknown = importer.unknownNames(names)
    if (unknown.length > 0) throw new FileError(`in the first line ${unknown.join(', and ')}`)
  }
  for await (const row of readRows(bytes, task.format, checkNames)) {
    if (row.line <= doneUpTo) continue
    lastLine = row.line
    if (isReadable(row)) rows.push(row)
    else rejects.add(row, row.problem ? [row.problem] : [])
    if (rows.length >= importer.batchSize) await flush()
  }
  await flush()
  await rejects.end()
  return { taken, rejected: rejects.count, resumedAfter: doneUpTo }
}

function isReadable(row: Row): row is ReadableRow {
  return row.record !== undefined
}

const HASHED_BYTES = 1024 * 1024

/** Tells one file from another: by its size, its beginning and its end. */
export function hashOfFile(file: string): string {
  const { size } = statSync(file)
  const handle = openSync(file, 'r')
  const part = Buffer.alloc(Math.min(HASHED_BYTES, size))
  const hash = createHash('sha256').update(String(size))
  for (const position of [0, Math.max(0, size - part.length)]) {
    readSync(handle, part, 0, part.length, position)
    hash.update(part)
  }
  return hash.digest('hex')
}

/** `line,column,message,row`: made when the first row is rejected. */
class RejectsFile {
  readonly #path: string
  #stream: WriteStream | undefined
  #isFull = false
  /** How many rows have been rejected. */
  count = 0

  constructor(path: string) {
    this.#path = path
  }

  add(row: Row, findings: readonly { column: string; message: string }[]): void {
    this.count += 1
    if (!this.#stream) {
      this.#stream = createWriteStream(this.#path)
      this.#stream.write('line,column,message,row\r\n')
    }
    for (const { column, message } of findings) {
      const cells = [String(row.line), column, message, row.text].map(quoted)
      this.#isFull = !this.#stream.write(`${cells.join(',')}\r\n`)
    }
  }

  async drained(): Promise<void> {
    if (!this.#isFull || !this.#stream) return
    await once(this.#stream, 'drain')
    this.#isFull = false
  }

  async end(): Promise<void> {
    if (!this.#stream) return
    this.#stream.end()
    await once(this.#stream, 'finish')
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
