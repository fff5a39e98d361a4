// Rules of a relation that apply to attribute relations and to related values.
import type { FieldPath, Findings } from '../../../errors/findings.ts'

export interface ShareAndValidity {
  readonly percentage: number
  readonly dateFrom: string
  readonly dateTo: string
}

/** `path` is the path of the record or list item that has the fields. */
export function checkShareAndValidity(item: ShareAndValidity, path: FieldPath, findings: Findings): void {
  if (item.percentage < 0 || item.percentage > 100) {
    findings.add([...path, 'percentage'], 3010, 'The field Percentage must be between 0 and 100')
  }
  if (item.dateTo < item.dateFrom) {
    findings.add([...path, 'dateTo'], 3010, 'The field DateTo must not be before DateFrom')
  }
}
