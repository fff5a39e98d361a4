// Where log lines go: standard error. While the service serves, they are written in the background, some at a time, so
// that no request waits for a reader of the log. A reader that stands still costs a bounded buffer, and then lines: how
// many were lost is counted, and told in the log when it reads again.
import { fstatSync, write, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { inspect } from 'node:util'

const STANDARD_ERROR = 2
/** How much is gathered for one write, and how much is written at once. */
const SIZES = {
  file: { batch: 12 * 1024, most: 16 * 1024 },
  /** A pipe takes as much at once without mixing it with the lines of another process (PIPE_BUF). */
  pipe: { batch: 3_500, most: 4_096 },
}
/** How long a line may wait for others. */
const DELAY_MS = 100
/** Some ten thousand lines. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024

export interface LogDestination {
  /** Takes one line of JSON. */
  write(line: string): void
  /** Since the start. */
  readonly lost: number
}

/** For a person, who reads text, and for commands that end soon: each line is written at once. */
export function immediateDestination(output: Writable & { readonly isTTY?: boolean }): LogDestination {
  return { lost: 0, write: (line) => void output.write(output.isTTY ? textOfLine(line) : line) }
}

export class BufferedDestination implements LogDestination {
  lost = 0
  #told = 0
  readonly #sizes = SIZES[fstatSync(STANDARD_ERROR).isFile() ? 'file' : 'pipe']
  #waiting: string[] = []
  #waitingBytes = 0
  /** What is being written, or is to be written again. */
  #chunk: Buffer | undefined
  #isWriting = false
  #timer: NodeJS.Timeout | undefined

  constructor() {
    process.on('exit', () => this.#writeRest())
  }

  write(text: string): void {
    const bytes = Buffer.byteLength(text)
    if (this.#waitingBytes + bytes > MOST_WAITING_BYTES) {
      this.lost += 1
      return
    }
    this.#waiting.push(text)
    this.#waitingBytes += bytes
    // A chunk that could not be written is tried again later, not with each line.
    if (this.#waitingBytes >= this.#sizes.batch && !this.#chunk) this.#next()
    else this.#later()
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#next()
    }, DELAY_MS).unref()
  }

  #next(): void {
    if (this.#isWriting) return
    this.#chunk ??= this.#takeChunk()
    const chunk = this.#chunk
    if (!chunk) return
    this.#isWriting = true
    write(STANDARD_ERROR, chunk, (error, written) => {
      this.#isWriting = false
      // On a full disk, for example, the lines wait.
      if (error) return this.#later()
      this.#chunk = written < chunk.length ? chunk.subarray(written) : undefined
      if (this.#chunk || this.#waitingBytes >= this.#sizes.batch) this.#next()
      else this.#tellLost()
    })
  }

  /** As many lines as may be written at once. */
  #takeChunk(): Buffer | undefined {
    let [bytes, count] = [0, 0]
    for (const line of this.#waiting) {
      const more = Buffer.byteLength(line)
      if (count > 0 && bytes + more > this.#sizes.most) break
      bytes += more
      count += 1
    }
    this.#waitingBytes -= bytes
    return count === 0 ? undefined : Buffer.from(this.#waiting.splice(0, count).join(''))
  }

  #tellLost(): void {
    const lines = this.lost - this.#told
    if (lines === 0) return
    this.#told = this.lost
    this.write(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines, msg: 'log-lines-lost' })}\n`)
  }

  /** At the end of the process. What is being written in the background gets there by itself. */
  #writeRest(): void {
    try {
      if (this.#chunk && !this.#isWriting) writeSync(STANDARD_ERROR, this.#chunk)
      for (let chunk = this.#takeChunk(); chunk; chunk = this.#takeChunk()) writeSync(STANDARD_ERROR, chunk)
    } catch {
      // Nobody can be told.
    }
  }
}

// A line of the log as a person reads it on a terminal.

/** What a log line has besides its own fields. */
interface LogLine {
  readonly time: string
  readonly level: string
  readonly msg: string
  readonly [field: string]: unknown
}

const COLOURS: Readonly<Record<string, string>> = {
  debug: '\u001b[2m',
  info: '\u001b[32m',
  warn: '\u001b[33m',
  error: '\u001b[31m',
  fatal: '\u001b[31m',
}
const PLAIN = '\u001b[0m'
/** Puts the line where a progress bar may stand, which draws itself again below. */
const CLEAR_LINE = '\r\u001b[K'
/** Anything else is shown as a JSON text, so that no field can move the cursor. */
const HARMLESS = /^[\w.:/*@+-]+$/

/** `03:12:44 info  request GET /v1/attribute-values/:attributeId/* 200 client=erp ms=1.2`. */
export function textOfLine(json: string): string {
  const { time, level, msg, error, ...fields } = JSON.parse(json) as LogLine
  const { method, route, status, ...others } = msg === 'request' ? fields : { ...fields, method: undefined }
  const request = method === undefined ? [] : [String(method), String(route), String(status)]
  const rest = Object.entries(method === undefined ? fields : others).map(([name, value]) => `${name}=${shown(value)}`)
  const shownLevel = `${COLOURS[level] ?? ''}${level.padEnd(5)}${PLAIN}`
  const line = [time.slice(11, 19), shownLevel, msg, ...request, ...rest].join(' ')
  return `${CLEAR_LINE}${line}\n${error === undefined ? '' : `${stackOf(error)}\n`}`
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return HARMLESS.test(text) ? text : JSON.stringify(text)
}

function stackOf(error: unknown): string {
  const { stack, message } = error as { stack?: string; message?: string }
  return (stack ?? message ?? inspect(error)).replace(/[^\P{Cc}\n]/gu, '?')
}
