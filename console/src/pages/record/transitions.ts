// What may become of a record now, of what its document says of states.
import type { DocumentInfo, StateTransition } from '../../service/metadata.ts'
import { memberAt } from '../../service/question.ts'

/** The transitions that this person may take from the state of a record. */
export function transitionsFrom({ record }: Pick<DocumentInfo, 'record'>, row: unknown): readonly StateTransition[] {
  const states = record['x-erp-state']
  if (!states) return []
  const now = memberAt(row, states.property.split('/'))
  return states.transitions.filter(({ from }) => from === now)
}

/** A JSON Patch that takes one. */
export function transitionPatch({ record }: Pick<DocumentInfo, 'record'>, { to }: StateTransition): string {
  return JSON.stringify([{ op: 'replace', path: `/${record['x-erp-state']?.property}`, value: to }])
}
