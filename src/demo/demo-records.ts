// The records of the demo company, as files of lines, each the body of a POST.
import { readFileSync } from 'node:fs'
import { Caller } from '../access/caller.ts'
import type { JsonObject } from '../base/strict-json.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { Service } from '../records/shared/service.ts'
import { compileCount } from '../store/compile/compile-query.ts'
import { INTERNAL_CALLER } from '../store/store.ts'

/** The larger of the two companies: it has records of every kind. */
export const COMPANY = 'EN'

/** Number of concurrent writes, which share commits on SQLite. */
const CONCURRENT_WRITES = 64

/** A line of such a file. */
export type RecordLine = JsonObject & { readonly companyId: string }

/** Called with the number of records created so far and of all. */
export type ReportProgress = (done: number, total: number) => void

/** The lines of a file such as `customers`. */
export function readDemoRecords<Line extends { readonly companyId: string } = RecordLine>(name: string): Line[] {
  const file = new URL(`../../examples/demo/${name}.ndjson`, import.meta.url)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Line)
}

/**
 * Creates a record for each line, in the order of the file: SQLite writes in the order in which writes start. PostgreSQL
 * does not, so it requires `concurrentWrites` to be 1.
 */
export async function createInOrder(
  lines: readonly RecordLine[],
  create: (line: RecordLine) => Promise<unknown>,
  progress: ReportProgress,
  concurrentWrites = CONCURRENT_WRITES,
): Promise<void> {
  for (let done = 0; done < lines.length; ) {
    const batch = lines.slice(done, done + concurrentWrites)
    await Promise.all(batch.map(create))
    done += batch.length
    progress(done, lines.length)
  }
}

/** A caller without roles has no restrictions. */
export function demoCaller(companyId: string): Caller {
  return new Caller({ id: 'demo', defaultCompany: companyId }, 'demo', new Map())
}

/** The request that creates the record of a line. */
export function creationOf(body: RecordLine) {
  const { companyId } = body
  return { caller: demoCaller(companyId), companyId, requestId: 'demo', body }
}

/** Whether the company has records of a document. */
export async function hasRecords({ store }: Service, definition: DocumentDefinition): Promise<boolean> {
  const { content } = await store.count(COMPANY, {
    compile: (dialect) => compileCount(definition, undefined, [['company_id', COMPANY]], dialect),
    ...INTERNAL_CALLER,
  })
  return content > 0
}
