// Imports rows under the rules of a resource, as POST does, but a complete batch in one write.
import type { DocumentDefinition } from '../model/document.ts'
import type { BatchRules } from '../records/kinds/kind.ts'
import type { ValueName } from '../records/shared/master-data/value-store.ts'
import type { DeclaredRecords } from '../records/shared/service.ts'
import { EntryNumbers, writeEntries } from '../store/journal/journal.ts'
import type { Tx } from '../store/store.ts'
import { type Batch, type Destination, type Importer, sizesOf, writeBatch } from './importer.ts'
import { codeAdder } from './missing-codes.ts'
import type { ImportCounts } from './progress.ts'
import { messagesOf, quotaFindings, recordFindings } from './record-findings.ts'
import type { RejectedRows } from './rejected-rows.ts'
import { RowReader } from './row-reader.ts'
import type { PartlyReadRow, ReadableRow, RowFinding } from './rows/read-rows.ts'

/** Larger groups live long enough for the garbage collector to copy them to the old generation. */
const GROUP_SIZE = 500

/** Where another thread stores records, it begins after as many: fewer are handed over slower, more leave it idle. */
const HANDED_OVER = 32

export function batchImporter<New>(
  destination: Destination,
  definition: DocumentDefinition,
  rules: BatchRules<New>,
  documents: DeclaredRecords,
  addedCodes: ReadonlySet<string>,
): Importer {
  const { store, companyId, company, caller, progress } = destination
  const addCodes = codeAdder(caller, company, documents)
  const reader = new RowReader(definition, companyId)
  const readAll = (rows: readonly ReadableRow[], rejected: RejectedRows): Map<ReadableRow, New> => {
    const records = new Map<ReadableRow, New>()
    for (const row of rows) {
      const findings = recordFindings(reader, row)
      try {
        if (findings.length > 0) rejected.add(row, findings)
        else records.set(row, rules.read(row.record))
      } catch (error) {
        rejected.add(row, messagesOf(error))
      }
    }
    return records
  }
  /** Creates a group of records. `numbers`: the entry numbers of the write. */
  const createGroup = async (
    tx: Tx,
    rows: readonly ReadableRow[],
    numbers: EntryNumbers,
    { rejected, codes }: Pick<Batch, 'rejected'> & { readonly codes: ValueName[] },
  ) => {
    const full = quotaFindings(company, tx)
    if (full) {
      for (const row of rows) rejected.add(row, full)
      return 0
    }
    const records = readAll(rows, rejected)
    if (addedCodes.size > 0 && rules.missing) {
      const missing = await rules.missing(tx, [...records.values()], addedCodes)
      codes.push(...(await addCodes(tx, missing, numbers)))
    }
    const create = await rules.prepare(tx, [...records.values()])
    let created = 0
    for (const [row, record] of records) {
      try {
        await create(numbers.current(), record)
        numbers.use()
        created += 1
        // A number that was not used is above those of the entries so far.
        if (created % HANDED_OVER === 0) await writeEntries(tx)
      } catch (error) {
        rejected.add(row, messagesOf(error))
      }
    }
    await writeEntries(tx)
    return created
  }
  /** Tells all that is wrong with rows of which a cell cannot be read: that alone keeps them from being created. */
  const refuseGroup = async (tx: Tx, rows: readonly PartlyReadRow[], rejected: RejectedRows) => {
    const records = new Map<PartlyReadRow, New>()
    const refuse = (row: PartlyReadRow, found: readonly RowFinding[]) => rejected.add(row, [...row.problems, ...found])
    for (const row of rows) {
      const { record, unread } = row.rest
      const findings = recordFindings(reader, { ...row, record })
      try {
        if (findings.length > 0) refuse(row, findings)
        else records.set(row, rules.read(record, unread))
      } catch (error) {
        refuse(row, messagesOf(error))
      }
    }
    const create = await rules.prepare(tx, [...records.values()])
    for (const [row, record] of records) {
      const refusal = await create(tx, record).then(
        () => undefined,
        (error: unknown) => messagesOf(error),
      )
      if (!refusal) throw new Error('a record was created of a row with a cell that cannot be read')
      refuse(row, refusal)
    }
  }
  const createAll = async (tx: Tx, { rows, partlyRead, rejected }: Batch): Promise<ImportCounts> => {
    const numbers = new EntryNumbers(tx)
    const codes: ValueName[] = []
    let written = 0
    for (let done = 0; done < rows.length; done += GROUP_SIZE) {
      written += await createGroup(tx, rows.slice(done, done + GROUP_SIZE), numbers, { rejected, codes })
    }
    for (let done = 0; done < partlyRead.length; done += GROUP_SIZE) {
      await refuseGroup(tx, partlyRead.slice(done, done + GROUP_SIZE), rejected)
    }
    return { written, unchanged: 0, codes }
  }
  return {
    ...sizesOf(destination, store.recordsAtOnce),
    importBatch: (batch) =>
      writeBatch(destination, batch, async (tx) => {
        const counts = await createAll(tx, batch)
        await progress.put(tx, { ...batch, ...counts })
        return counts
      }),
  }
}
