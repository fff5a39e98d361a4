// What a record must be beside others: unique values, and the records that it refers to.
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import { inTurn } from '../../base/in-turn.ts'
import { memo } from '../../base/memo.ts'
import type { Findings } from '../../errors/findings.ts'
import { type FieldRules, isEmptyValue } from '../../setup/rules/declared-field-rules.ts'
import type { RecordRules, ReferenceRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { rowOf } from '../../sql/record-statements.ts'
import type { ReadTx } from '../../store/store.ts'
import { notVisible, type RecordAccess, referenceAccess } from '../shared/record-access.ts'
import type { DeclaredRecords } from '../shared/service.ts'
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
export const uniqueFields = memo((checks: readonly FieldRules[]) =>
  checks.filter(({ unique, itemsOf }) => unique && itemsOf === undefined),
)

/**
 * Adds a finding for each value that another record has, where it must be unique. A promise where there is such a
 * field.
 */
export function checkUnique(...asked: Parameters<typeof findHolders>): Promise<void> | undefined {
  const [, { checks }] = asked
  return uniqueFields(checks).length > 0 ? findHolders(...asked) : undefined
}

async function findHolders(
  tx: ReadTx,
  rules: RecordRules,
  access: RecordAccess,
  { draft, stored, leaving = [] }: Pick<DraftChange, 'draft' | 'stored' | 'leaving'>,
  findings: Findings,
): Promise<void> {
  for (const { path, type, column } of uniqueFields(rules.checks)) {
    const value = valueAt(draft, path)
    if (isEmptyValue(type, value) || findings.has(path)) continue
    if (stored && isDeepStrictEqual(value, valueAt(stored, path))) continue
    const holder = await findHolder(tx, rules, column, draft)
    if (!holder) continue
    const key = keyColumns(rules).map((name) => [name, holder[name] ?? ''] as const)
    if (leaving.some(({ stored: one }) => key.every(([, part], at) => String(part) === String(one[at])))) continue
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
  readonly documents: Pick<DeclaredRecords, 'definitionOf'>
}

/** Why a record cannot be referred to. */
type ReferenceProblem = 'absent' | 'closed' | undefined

export interface ReferenceLookups {
  /** Why the record that a draft refers to cannot be; undefined if it can. */
  problemOf(
    references: References,
    reference: ReferenceRules,
    draft: RecordDraft,
  ): ReferenceProblem | Promise<ReferenceProblem>
}

/** Lookups without a cache. */
export function storedReferences(tx: ReadTx) {
  return {
    problemOf: (...asked: Parameters<ReferenceLookups['problemOf']>): Promise<ReferenceProblem> =>
      problemOf(tx, ...asked),
  }
}

/**
 * Adds a finding for each new reference to a record that does not exist, that the caller may not see, or that is closed
 * (decision 2.2). A promise where the database is asked.
 */
export function checkReferences(
  lookups: ReferenceLookups,
  references: References,
  { draft, stored }: Pick<DraftChange, 'draft' | 'stored'>,
  findings: Findings,
): Promise<void> | undefined {
  const { kind } = references
  return inTurn(kind.references, (reference) => {
    const { key, document } = reference
    const values = key.map((path) => valueAt(draft, path))
    const isChanged = !stored || key.some((path, at) => !isDeepStrictEqual(values[at], valueAt(stored, path)))
    if (!isChanged || key.some((path) => findings.has(path)) || isEmptyKey(kind, reference, draft)) return undefined
    const add = (problem: ReferenceProblem): undefined => {
      if (problem === undefined) return undefined
      const record = `record ${values.map(String).join(', ')} of ${document}`
      const message = problem === 'absent' ? `There is no ${record}.` : `The ${record} is closed.`
      findings.add(key.at(-1) ?? [], 3010, message)
      return undefined
    }
    const problem = lookups.problemOf(references, reference, draft)
    return problem instanceof Promise ? problem.then(add) : add(problem)
  })
}

/** Whether a record refers to none. */
function isEmptyKey({ checks }: RecordRules, reference: ReferenceRules, draft: RecordDraft): boolean {
  return fieldsOf(checks)(reference).every(({ path, type }) => isEmptyValue(type, valueAt(draft, path)))
}

/** The rules of the properties with the key of a reference. */
const fieldsOf = memo((checks: readonly FieldRules[]) =>
  memo(({ key }: ReferenceRules) => key.flatMap((path) => fieldAt(checks, path) ?? [])),
)

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
