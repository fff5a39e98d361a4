// Records that an import has created are taken back with their lines, of which nobody has changed one since: their
// record would have another tag.
import { isDeepStrictEqual } from 'node:util'
import { findKeeper } from '../lifecycle/purge.ts'
import type { RecordName } from '../lifecycle/record-name.ts'
import type { RecordsAtWork } from '../lifecycle/records-at-work.ts'
import { MAX_LINES } from '../model/document.ts'
import { keyColumns } from '../records/engine/record.ts'
import { findLines } from '../records/engine/record-store.ts'
import { ownKind } from '../records/kinds/engine-records.ts'
import type { LinesRules, RecordRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { Tx } from '../store/store.ts'

/** What refers to a record besides its own lines, which go with it. */
export function withoutLinesOf(work: RecordsAtWork, own: RecordRules | undefined): RecordsAtWork {
  const lines = (own?.lines ?? []).map(({ document, rules }) => [document, withoutOwner(rules)] as const)
  return lines.length === 0 ? work : { ...work, ownRecords: new Map([...work.ownRecords, ...lines]) }
}

function withoutOwner(rules: RecordRules): RecordRules {
  const columns = keyColumns(rules).slice(0, rules.owner?.keyColumns.length)
  return { ...rules, references: rules.references.filter((one) => !isDeepStrictEqual(one.keyColumns, columns)) }
}

/** The lines of a record; undefined where it stays: something keeps one of them, or all are to be removed first. */
export async function linesTakenBack(
  tx: Tx,
  work: RecordsAtWork,
  company: CompanyRules,
  lines: readonly LinesRules[],
  { key }: RecordName,
): Promise<readonly RecordName[] | undefined> {
  const all: RecordName[] = []
  for (const { rules, isCascaded } of lines) {
    const keys = await findLines(tx, rules, key, undefined)
    if (keys.length > (isCascaded ? MAX_LINES : 0)) return undefined
    const kind = ownKind(rules)
    for (const one of keys) {
      const line = { kind, key: one }
      if ((await findKeeper(tx, work, company, line)) !== undefined) return undefined
      all.push(line)
    }
  }
  return all
}
