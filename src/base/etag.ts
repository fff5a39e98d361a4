// Which state an answer is of. The entity tag of a record (RFC 9110, 8.8.3) is the number of the journal entry that
// last changed it.

export function etagOf(changeNo: number): string {
  return `"${changeNo}"`
}

/** Whether an `If-None-Match` header names the tag, so that the client has this state already (304). */
export function isNoneMatch(header: string | undefined, changeNo: number): boolean {
  return holdsTag(header, etagOf(changeNo))
}

/** Whether an `If-Match` header permits a change to the record in this state. */
export function isMatch(header: string | undefined, changeNo: number): boolean {
  return permitsTag(header, etagOf(changeNo))
}

/**
 * Whether an `If-Match` header permits the state of this tag. Without a header it is permitted. Tags are compared
 * strongly (RFC 9110, 13.1.1): one that a proxy has changed names no state.
 */
export function permitsTag(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === '*' || tagsIn(header).includes(etag)
}

/** The newest tag of an `If-Match` header that may be an earlier state of the record; undefined if it has none. */
export function earlierState(header: string, changeNo: number): number | undefined {
  const numbers = tagsIn(header).map((tag) => Number(TAG.exec(tag)?.[1] ?? Number.NaN))
  const earlier = numbers.filter((number) => number < changeNo)
  return earlier.length > 0 ? Math.max(...earlier) : undefined
}

const TAG = /^"(\d{1,15})"$/

/**
 * Whether an `If-None-Match` header names the tag or is `*`. Compares weakly: a proxy that compresses an answer weakens
 * its tag, or adds what it has done to it (`"531-gzip"`).
 */
export function holdsTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  const opaque = etag.replace(WEAK, '')
  return tagsIn(header).some((tag) => isSameTag(tag.replace(WEAK, ''), opaque))
}

const WEAK = /^W\//
/** As Apache, Jetty and others end a tag. */
const COMPRESSED = /^(?:--?|;)(?:gzip|br|deflate|zstd)"$/

/** The tag is not to be taken apart by itself: its own end may look like a part of what was added. */
function isSameTag(tag: string, opaque: string): boolean {
  const own = opaque.slice(0, -1)
  return tag === opaque || (tag.startsWith(own) && COMPRESSED.test(tag.slice(own.length)))
}

function tagsIn(header: string): string[] {
  return header.split(',').map((tag) => tag.trim())
}

/** Names the number of the last change in what an answer was made of. */
export const CHANGE_NUMBER = 'x-erp-change-number'

export function changeNumbered(changeNumber: number | undefined): Record<string, string> {
  return changeNumber === undefined ? {} : { [CHANGE_NUMBER]: String(changeNumber) }
}
