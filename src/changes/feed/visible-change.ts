// A change as readers get it: JSON, of which the record is passed on as it is written.
import { etagOf } from '../../base/etag.ts'
import type { Position, RecordChange } from '../record-change.ts'

export type VisibleOperation = 'created' | 'updated' | 'deleted' | 'entered' | 'left'

/** Whether a caller may see the record of a change before and after it. */
export interface Visibility {
  readonly before: boolean
  readonly after: boolean
}

export interface VisibleChange {
  readonly position: Position
  /** The same for every reader, and in every repetition. */
  readonly id: string
  readonly entity: string
  /** The parts of the key, as a JSON array. */
  readonly recordKey: string
  readonly operation: VisibleOperation
  readonly time: string
  /** The change as readers get it: a JSON object. */
  readonly json: string
}

/** What a change is to a caller who may see its record before or after it, and not on both sides. */
export function operationOf(
  { before, after, operation }: Pick<RecordChange, 'before' | 'after' | 'operation'>,
  isVisibleNow: boolean,
): VisibleOperation {
  if (isVisibleNow) return before === '' ? 'created' : 'entered'
  return after === '' || operation === 'delete' ? 'deleted' : 'left'
}

/** `record`: empty for a record that is gone, or that the caller may not see. */
export function visibleChange(
  companyId: string,
  change: RecordChange,
  operation: VisibleOperation,
  changed: readonly string[],
  record: string,
): VisibleChange {
  const { number, part, kind, key, at: time, etag } = change
  const id = `${companyId}-${number}${part === 0 ? '' : `.${part}`}`
  const entity = kind.name
  let json = `{"id":${JSON.stringify(id)},"number":${number},"time":"${time}","entity":"${entity}","key":${keyJson(change)},"operation":"${operation}"`
  if (operation === 'updated') json += `,"changed":${JSON.stringify(changed)}`
  if (record !== '') {
    if (etag !== undefined && kind.hasEtag) json += `,"etag":${JSON.stringify(etagOf(etag))}`
    json += `,"record":${record}`
  }
  return { position: { number, part }, id, entity, recordKey: JSON.stringify(key), operation, time, json: `${json}}` }
}

function keyJson({ kind, key }: RecordChange): string {
  const members = kind.keyNames.map((name, at) => `${JSON.stringify(name)}:${JSON.stringify(key[at])}`)
  return `{${members.join(',')}}`
}
