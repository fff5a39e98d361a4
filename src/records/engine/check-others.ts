// What a record must be beside others: unique values, and the records that it refers to.
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import { memo } from '../../base/memo.ts'
import type { Findings } from '../../errors/findings.ts'
import { type FieldRules, isEmptyValue } from '../../setup/rules/own-field-rules.ts'
import type { RecordRules, ReferenceRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { rowOf } from '../../sql/record-statements.ts'
import type { ReadTx } from '../../store/store.ts'
import { notVisible, type RecordAccess, referenceAccess } from '../shared/record-access.ts'
import type { OwnDocuments } from '../shared/service.ts'
import { keyColumns } from './record.ts'
import { type DraftChange, type RecordDraft, type RecordKind, valueAt } from './record-kind.ts'
import { findHolder, hasRecord, hasRecordInState } from './record-store.ts'

/** The rules of a property of a record itself. */
export function fieldAt(checks: readonly FieldRules[], path: readonly string[]): FieldRules | undefined {
  const isAt = ({ itemsOf, path: own }: FieldRules) =>
    itemsOf === undefined && own.length === path.length && own.every((name, at) => name === path[at])
  return checks.find(isAt)
}

/** Those whose values no two records of a company have. */
export const uniqueFields = memo((checks: readonly FieldRules[]) => checks.filter(({ unique }) => unique))

/** Adds a finding for each value that another record has, where it must be unique. */
export async function checkUnique(
  tx: ReadTx,
  rules: RecordRules,
  access: RecordAccess,
  { draft, stored }: Pick<DraftChange, 'draft' | 'stored'>,
  findings: Findings,
): Promise<void> {
  for (const { path, type, column } of uniqueFields(rules.checks)) {
    const value = valueAt(draft, path)
    if (isEmptyValue(type, value) || findings.has(path)) continue
    if (stored && isDeepStrictEqual(value, valueAt(stored, path))) continue
    const holder = await findHolder(tx, rules, column, draft)
    if (!holder) continue
    const key = keyColumns(rules).map((name) => [name, holder[name] ?? ''] as const)
    // A caller with a row rule must not learn of a record that it does not see.
    if (!(await access.isVisible(tx, key))) throw notVisible()
    findings.add(path, 3010, `${String(value)}: already exists. Please enter a unique value`)
  }
}

/** The caller of a write, with the documents that its records may refer to. */
export interface References {
  readonly kind: RecordKind
  readonly company: CompanyRules
  readonly caller: Caller
  readonly documents: Pick<OwnDocuments, 'definitionOf'>
}

/** Why a record cannot be referred to. */
type ReferenceProblem = 'absent' | 'closed' | undefined

export interface ReferenceLookups {
  /** Why the record that a draft refers to cannot be; undefined if it can. */
  problemOf(references: References, reference: ReferenceRules, draft: RecordDraft): Promise<ReferenceProblem>
}

/** Lookups without a cache. */
export function storedReferences(tx: ReadTx): ReferenceLookups {
  return { problemOf: (...asked) => problemOf(tx, ...asked) }
}

/**
 * Adds a finding for each new reference to a record that does not exist, that the caller may not see, or that is closed
 * (decision 2.2).
 */
export async function checkReferences(
  lookups: ReferenceLookups,
  references: References,
  { draft, stored }: Pick<DraftChange, 'draft' | 'stored'>,
  findings: Findings,
): Promise<void> {
  const { kind } = references
  for (const reference of kind.references) {
    const values = reference.key.map((path) => valueAt(draft, path))
    const isChanged = reference.key.some((path, at) => !stored || !isDeepStrictEqual(values[at], valueAt(stored, path)))
    if (!isChanged || reference.key.some((path) => findings.has(path)) || isEmptyKey(kind, reference, draft)) continue
    const problem = await lookups.problemOf(references, reference, draft)
    if (problem === undefined) continue
    const record = `record ${values.map(String).join(', ')} of ${reference.document}`
    const message = problem === 'absent' ? `There is no ${record}.` : `The ${record} is closed.`
    findings.add(reference.key.at(-1) ?? [], 3010, message)
  }
}

/** Whether a record refers to none. */
function isEmptyKey({ checks }: RecordRules, { key }: ReferenceRules, draft: RecordDraft): boolean {
  return key.every((path) => {
    const field = fieldAt(checks, path)
    return !field || isEmptyValue(field.type, valueAt(draft, path))
  })
}

async function problemOf(
  tx: ReadTx,
  { kind, company, caller, documents }: References,
  { document, keyColumns: own, otherColumns, closed }: ReferenceRules,
  draft: RecordDraft,
): Promise<ReferenceProblem> {
  const definition = documents.definitionOf(document, company)
  if (!definition) return 'absent'
  const columns = rowOf(kind.record.fields, draft)
  const values = own.map((column) => columns[column] ?? '')
  if (!(await hasRecord(tx, definition, otherColumns, values))) return 'absent'
  const access = referenceAccess(caller, company, definition)
  const key = otherColumns.map((column, at) => [column, values[at] ?? ''] as const)
  if (!(await access.isVisible(tx, key))) return 'absent'
  if (!closed) return undefined
  const isClosed = await hasRecordInState(tx, definition, [...otherColumns, closed.column], [...values, closed.value])
  return isClosed ? 'closed' : undefined
}
