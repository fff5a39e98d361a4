// What becomes, or has become, of the rows of a change.
import type { ImportOperation, RowsDone } from '../../service/imports.ts'
import type { Row } from '../grid/rows.ts'
import type { PlannedChange, ReadRows } from './planned-change.ts'

export interface RefusedRow {
  readonly row: Row
  readonly messages: readonly string[]
}

export interface Outcome extends ReadRows {
  readonly operation: ImportOperation
  readonly change: PlannedChange
  readonly changed: number
  readonly unchanged: number
  /** All of them; of the first ones the service tells what is wrong. */
  readonly refusedCount: number
  readonly refused: readonly RefusedRow[]
}

export function outcomeOf(
  { operation, rejected }: RowsDone,
  sent: Pick<Outcome, 'change' | 'rows' | 'readAt'>,
): Outcome {
  const refused = rejected.flatMap(({ row: line, findings }) => {
    const row = sent.rows[line - 1]
    return row ? [{ row, messages: [...new Set(findings.map(({ message }) => message))] }] : []
  })
  const { written, unchanged, rejected: refusedCount } = operation
  return { ...sent, operation, changed: written, unchanged, refusedCount, refused }
}

/** Each message once. */
export const messagesOf = (refused: readonly RefusedRow[]): string[] => [
  ...new Set(refused.flatMap(({ messages }) => messages)),
]
