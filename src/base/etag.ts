// Which state an answer is of. The entity tag of a record (RFC 9110, 8.8.3) is the number of the journal entry that
// last changed it.

export function etagOf(changeNo: number): string {
  return `"${changeNo}"`
}

/** Whether an `If-None-Match` header names the tag, so that the client has this state already (304). */
export function isNoneMatch(header: string | undefined, changeNo: number): boolean {
  return header !== undefined && namesState(header, changeNo)
}

/** Whether an `If-Match` header permits a change to the record in this state. Without a header it is permitted. */
export function isMatch(header: string | undefined, changeNo: number): boolean {
  return header === undefined || namesState(header, changeNo)
}

/** The newest tag of an `If-Match` header that may be an earlier state of the record; undefined if it has none. */
export function earlierState(header: string, changeNo: number): number | undefined {
  const numbers = header.split(',').map((tag) => Number(TAG.exec(tag.trim())?.[1] ?? Number.NaN))
  const earlier = numbers.filter((number) => number < changeNo)
  return earlier.length > 0 ? Math.max(...earlier) : undefined
}

const TAG = /^(?:W\/)?"(\d{1,15})"$/

function namesState(header: string, changeNo: number): boolean {
  return holdsTag(header, etagOf(changeNo))
}

/** Whether a header names the tag or is `*`. Compares weakly, because a compressing proxy may have weakened the tag. */
export function holdsTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  const opaque = etag.replace(WEAK, '')
  return header.split(',').some((tag) => tag.trim().replace(WEAK, '') === opaque)
}

const WEAK = /^W\//

/** Names the number of the last change in what an answer was made of. */
export const CHANGE_NUMBER = 'x-erp-change-number'

export function changeNumbered(changeNumber: number | undefined): Record<string, string> {
  return changeNumber === undefined ? {} : { [CHANGE_NUMBER]: String(changeNumber) }
}
