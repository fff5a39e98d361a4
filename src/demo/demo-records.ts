// The records of the demo company, as files of lines, each the body of a POST.
import { readFileSync } from 'node:fs'
import { Caller } from '../access/caller.ts'
import type { JsonObject } from '../base/strict-json.ts'
import type { ReportProgress } from '../databases/driver.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { BatchRules } from '../records/kinds/kind.ts'
import type { Service } from '../records/shared/service.ts'
import { compileCount } from '../sql/compile/compile-query.ts'
import { writeEntries } from '../store/journal/journal.ts'
import { INTERNAL_CALLER } from '../store/store.ts'

/** The larger of the two companies: it has records of every kind. */
export const COMPANY = 'EN'
export const DEMO_ACTOR = { userId: 'demo', clientId: '', requestId: '' }
/** How many records are prepared together. */
const GROUP_SIZE = 500

/** A line of such a file. */
export type RecordLine = JsonObject & { readonly companyId: string }

/** The lines of a file such as `customers`. */
export function readDemoRecords<Line extends { readonly companyId: string } = RecordLine>(name: string): Line[] {
  const file = new URL(`../../examples/demo/${name}.ndjson`, import.meta.url)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Line)
}

/** Records to be created by the rules that they have in a company. */
interface NewRecords<New> {
  readonly lines: readonly RecordLine[]
  readonly rulesOf: (companyId: string) => BatchRules<New>
}

/**
 * Creates a record for each line, in the order of the file, and a journal entry for each. A company has one write: an
 * interrupted start leaves no part of its records.
 */
export async function createRecords<New>(
  { store }: Pick<Service, 'store'>,
  { lines, rulesOf }: NewRecords<New>,
  progress: ReportProgress,
): Promise<void> {
  let before = 0
  for (const [companyId, ours] of Map.groupBy(lines, (line) => line.companyId)) {
    const rules = rulesOf(companyId)
    await store.write(companyId, DEMO_ACTOR, async (tx) => {
      let isFirst = true
      for (let from = 0; from < ours.length; from += GROUP_SIZE) {
        const group = ours.slice(from, from + GROUP_SIZE).map((line) => rules.read(line))
        const create = await rules.prepare(tx, group)
        for (const record of group) {
          await create(isFirst ? tx : tx.nextEntry(), record)
          isFirst = false
        }
        await writeEntries(tx)
        progress(before + from + group.length, lines.length)
      }
    })
    before += ours.length
  }
}

/** Sees all records, and writes lines with theirs. */
export function demoCaller(companyId: string): Caller {
  return Caller.ofProgram('demo', companyId, 'demo', ['purchase-order-lines'])
}

/** Whether the company has records of a document. */
export async function hasRecords(service: Pick<Service, 'store'>, definition: DocumentDefinition): Promise<boolean> {
  return (await countRecords(service, definition)) > 0
}

/** How many records of a document the company has. */
export async function countRecords({ store }: Pick<Service, 'store'>, definition: DocumentDefinition): Promise<number> {
  const { content } = await store.count(COMPANY, {
    compile: (dialect) => compileCount(definition, undefined, [['company_id', COMPANY]], dialect),
    ...INTERNAL_CALLER,
  })
  return content
}
