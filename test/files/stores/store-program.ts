// A program that stores contents in a folder on a disk that the test has prepared: `store-program.ts ROOT SIZE...`.
// Prints the results as one line of JSON; a negative size removes the content of that size.
import { hash } from 'node:crypto'
import { openFileStore } from '../../../src/files/open-file-store.ts'

const COMPANY = 'EN'
const [root = '', ...steps] = process.argv.slice(2)

export interface Step {
  readonly size: number
  /** `kept`, `removed`, the status of a Problem, or the message of an error. */
  readonly outcome: string | number
}

export interface StoreResult {
  readonly steps: readonly Step[]
  /** Sizes of the stored contents at the end, each with the right hash. */
  readonly found: readonly number[]
}

/** The content of a size; no two are alike. */
function contentOf(size: number): Buffer {
  return Buffer.alloc(size, `${size},`)
}

const { store, staging } = await openFileStore({ files: root, data: '' })

async function take(size: number): Promise<Step> {
  try {
    if (size < 0) {
      await store.remove(COMPANY, hash('sha256', contentOf(-size)))
      return { size, outcome: 'removed' }
    }
    const staged = await staging.take(slices(contentOf(size)), size)
    await store.put(COMPANY, staged).finally(() => staging.discard(staged))
    return { size, outcome: 'kept' }
  } catch (error) {
    const { status, message } = error as { status?: number; message: string }
    return { size, outcome: status ?? message }
  }
}

async function* slices(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}

const done: Step[] = []
for (const step of steps) done.push(await take(Number(step)))
const found: number[] = []
for await (const kept of store.list()) {
  const content = Buffer.concat(await (await store.read(kept.companyId, kept.hash)).toArray())
  if (hash('sha256', content) !== kept.hash) throw new Error(`a content of ${kept.size} bytes is wrong`)
  found.push(content.length)
}
process.stdout.write(`${JSON.stringify({ steps: done, found: found.sort((a, b) => a - b) } satisfies StoreResult)}\n`)
