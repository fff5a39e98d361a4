import type { RecordAccess } from '../../records/shared/record-access.ts'
import type { RecordChange } from '../record-change.ts'

/** JSON pointers of the lines that were changed with a record, as far as the caller is shown any of them. */
export function changedLines({ lines = [] }: RecordChange, access: RecordAccess): readonly string[] {
  return lines.filter((name) => !access.hides([name])).map((name) => `/${name}`)
}
