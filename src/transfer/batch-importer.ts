// How rows go through the rules of a resource, as by POST, but a whole batch in one write.
import type { JsonObject } from '../base/strict-json.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { putProgress } from '../store/import-store.ts'
import { writeEntries } from '../store/journal.ts'
import type { Tx } from '../store/store.ts'
import type { Destination, Importer, ReadableRow, Reject } from './importer.ts'
import { messagesOf, quotaFindings, recordFindings } from './record-findings.ts'
import { RowReader } from './row-reader.ts'

/** How a resource creates many records in one write, by the rules of its POST. */
export interface BatchRules<New> {
  /** Throws a Problem when the record cannot be read. */
  read(record: JsonObject): New
  /** Looks up what the records need. What it gives creates one of them: where it throws a Problem, nothing was changed. */
  begin(tx: Tx, records: readonly New[]): Promise<(tx: Tx, record: New) => Promise<unknown>>
}

/** More would be copied by the collector of garbage before they are done with. */
const CREATED_TOGETHER = 500

/** The entry numbers of a write, one for each record that is taken: that of a refused one is for the next. */
class EntryNumbers {
  readonly #write: Tx
  #current: Tx | undefined

  constructor(write: Tx) {
    this.#write = write
    this.#current = write
  }

  async current(): Promise<Tx> {
    this.#current ??= await this.#write.next()
    return this.#current
  }

  use(): void {
    this.#current = undefined
  }
}

export function batchImporter<New>(
  { store, companyId, company, document, source, actor }: Destination,
  definition: DocumentDefinition,
  rules: BatchRules<New>,
): Importer {
  const reader = new RowReader(definition, companyId)
  const readAll = (rows: readonly ReadableRow[], reject: Reject): Map<ReadableRow, New> => {
    const records = new Map<ReadableRow, New>()
    for (const row of rows) {
      const findings = recordFindings(reader, row)
      try {
        if (findings.length > 0) reject(row, findings)
        else records.set(row, rules.read(row.record))
      } catch (error) {
        reject(row, messagesOf(error))
      }
    }
    return records
  }
  /** Creates some records; `numbers` are those of the write. */
  const createSome = async (tx: Tx, rows: readonly ReadableRow[], numbers: EntryNumbers, reject: Reject) => {
    const full = quotaFindings(company, tx)
    if (full) {
      for (const row of rows) reject(row, full)
      return 0
    }
    const records = readAll(rows, reject)
    const create = await rules.begin(tx, [...records.values()])
    let taken = 0
    for (const [row, record] of records) {
      try {
        await create(await numbers.current(), record)
        numbers.use()
        taken += 1
      } catch (error) {
        reject(row, messagesOf(error))
      }
    }
    await writeEntries(tx)
    return taken
  }
  const createAll = async (tx: Tx, rows: readonly ReadableRow[], reject: Reject): Promise<number> => {
    const numbers = new EntryNumbers(tx)
    let taken = 0
    for (let done = 0; done < rows.length; done += CREATED_TOGETHER) {
      taken += await createSome(tx, rows.slice(done, done + CREATED_TOGETHER), numbers, reject)
    }
    return taken
  }
  return {
    batchSize: store.recordsAtOnce,
    columnsOf: (names) => reader.columnsOf(names),
    take: ({ rows, lastLine }, reject) =>
      store.write(companyId, actor, async (tx) => {
        const written = await createAll(tx, rows, reject)
        await putProgress(tx, document, source, lastLine)
        return { written, unchanged: 0 }
      }),
  }
}
