// The files in a body that is a form (multipart/form-data, RFC 7578): where each of them begins and ends. The body is
// stored as it came, and each file is read from its place.
import { malformed } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { boundaryIn, formPartOf, MAX_BOUNDARY_LENGTH, UnreadableName } from './form-part.ts'

interface FormFile {
  readonly name: string
  /** Its media type, in lower case. */
  readonly type: string
  /** Its bytes, from 0; `end` is behind the last one. */
  readonly start: number
  readonly end: number
}

const MAX_FILES = 20
const MAX_HEADER_BYTES = 8 * 1024
const LINE_END = '\r\n'

/** Throws 400 for a form that is none. */
export async function formFiles(bytes: AsyncIterable<Buffer>, contentType: string): Promise<readonly FormFile[]> {
  const boundary = boundaryIn(contentType)
  if (boundary === undefined) throw unreadable(`its boundary must have 1 to ${MAX_BOUNDARY_LENGTH} letters`)
  const finder = new PartFinder(boundary)
  for await (const chunk of bytes) finder.add(chunk)
  return finder.end()
}

class PartFinder {
  readonly #delimiter: Buffer
  readonly #files: FormFile[] = []
  /** What is not yet searched, and where it begins in the body. */
  #rest: Buffer = Buffer.from(LINE_END)
  #at = -LINE_END.length
  /** The file whose end is not found yet. */
  #open: Omit<FormFile, 'end'> | undefined
  #state: 'before' | 'headers' | 'content' | 'closed' = 'before'

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`${LINE_END}--${boundary}`, 'latin1')
  }

  add(chunk: Buffer): void {
    if (this.#state === 'closed') return
    this.#rest = Buffer.concat([this.#rest, chunk])
    while (this.#state === 'headers' ? this.#takeHeaders() : this.#takeDelimiter());
  }

  end(): readonly FormFile[] {
    if (this.#state !== 'closed') throw unreadable('it is not sent to its end')
    return this.#files
  }

  /** Whether there is more to be found. */
  #takeDelimiter(): boolean {
    if (this.#state === 'closed') return false
    const found = this.#rest.indexOf(this.#delimiter)
    // The two characters behind it tell whether it is the last one.
    if (found < 0 || this.#rest.length < found + this.#delimiter.length + 2) {
      this.#drop(Math.max(0, found < 0 ? this.#rest.length - this.#delimiter.length - 1 : found))
      return false
    }
    if (this.#open) this.#files.push({ ...this.#open, end: this.#at + found })
    this.#open = undefined
    this.#drop(found + this.#delimiter.length)
    this.#state = this.#rest.subarray(0, 2).toString('latin1') === '--' ? 'closed' : 'headers'
    return this.#state === 'headers'
  }

  #takeHeaders(): boolean {
    const found = this.#rest.indexOf(LINE_END + LINE_END)
    if (found < 0) {
      if (this.#rest.length > MAX_HEADER_BYTES) throw unreadable('the headers of a part are too long')
      return false
    }
    const { name, type } = partOf(this.#rest.subarray(0, found).toString('latin1'))
    if (this.#files.length === MAX_FILES) throw unreadable(`it has more than ${MAX_FILES} files`)
    if (this.#files.some((file) => file.name === name)) throw unreadable(`it has '${name}' twice`)
    this.#drop(found + 2 * LINE_END.length)
    this.#open = { name, type, start: this.#at }
    this.#state = 'content'
    return true
  }

  #drop(count: number): void {
    this.#rest = this.#rest.subarray(count)
    this.#at += count
  }
}

function partOf(text: string): { name: string; type: string } {
  const headers: Record<string, string[]> = {}
  for (const line of text.split(LINE_END)) {
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    if (name !== undefined) headers[name.toLowerCase()] = [value]
  }
  try {
    const part = formPartOf(headers)
    if (!part || part.name === '') throw unreadable('a part has no name')
    if (part.transferEncoding === 'base64') throw unreadable(`'${part.name}' is sent as base64`)
    return { name: part.name, type: part.type }
  } catch (error) {
    throw error instanceof UnreadableName ? unreadable('the name of a part is no text') : error
  }
}

function unreadable(why: string): Problem {
  return malformed(`The form cannot be read: ${why}.`)
}
