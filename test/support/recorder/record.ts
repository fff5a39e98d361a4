// Writes down what tests send and what comes back, so that two commits can be compared: `RECORD=folder` names a new
// folder, which gets a file for each test. Without it nothing is done.
import { hash } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = process.env.RECORD

/** Behind each exchange of a file. */
export const SEPARATOR = '\n\f\n'

/** Two long titles that begin in the same way differ in the digest behind it, in characters. */
const LONGEST_NAME = 80

/** What runs now: a test, or hooks of a test file. */
let running = { file: 'none', title: '' }

/** From now on what is sent belongs to this test, or, without a title, to its file. */
export function nowRuns(file: string, title = ''): void {
  running = { file, title }
}

/** Records what is sent, with when and what comes back, for the test that runs now. */
export function recorded<Came extends object>(
  sent: object,
  answer: Promise<Came>,
  partsOf: (came: Came) => object = (came) => came,
): Promise<Came> {
  if (FOLDER === undefined) return answer
  const { file, title } = running
  const folder = join(FOLDER, file)
  const write = (parts: object) => {
    const lines = [new Date().toISOString(), JSON.stringify(sent), ...linesOf(parts)]
    mkdirSync(folder, { recursive: true })
    appendFileSync(join(folder, nameOf(title)), lines.join('\n') + SEPARATOR)
  }
  answer.then(
    (came) => write(partsOf(came)),
    (error: unknown) => write({ error: String(error) }),
  )
  return answer
}

function nameOf(title: string): string {
  if (title === '') return 'hooks'
  return `${title.replaceAll(/[^a-zA-Z0-9]+/g, '-').slice(0, LONGEST_NAME)}-${hash('sha256', title).slice(0, 8)}`
}

function linesOf(parts: object): string[] {
  return Object.entries(parts).map(([name, part]) => `${name}: ${textOf(part)}`)
}

function textOf(part: unknown): string {
  if (Buffer.isBuffer(part)) return textOfBytes(part)
  return typeof part === 'string' ? part : JSON.stringify(part)
}

/** Bytes that are no text are recorded as their digest. */
function textOfBytes(bytes: Buffer): string {
  const text = bytes.toString()
  return text.includes('\uFFFD') ? `${bytes.length} bytes, ${hash('sha256', bytes)}` : text
}
