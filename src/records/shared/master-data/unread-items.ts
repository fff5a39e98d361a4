import type { Findings } from '../../../errors/findings.ts'

/** Whether some item of a list may be anything: it, its `member`, or the whole list cannot be read. */
export function hasUnreadItem(findings: Findings, list: string, items: readonly object[], member: string): boolean {
  if (items.length === 0) return findings.has(list)
  return items.some((_item, index) => findings.has([list, index, member]))
}
