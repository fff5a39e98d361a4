// Entity tags. That of a single record is the number of the journal entry that last changed the record.

export function etagOf(changeNo: number): string {
  return `"${changeNo}"`
}

/** Whether an `If-None-Match` header holds the tag: then the caller has this state already (304). */
export function isNoneMatch(header: string | undefined, changeNo: number): boolean {
  return header !== undefined && holds(header, changeNo)
}

/** Whether an `If-Match` header allows a change to the record in this state. No header allows any. */
export function isMatch(header: string | undefined, changeNo: number): boolean {
  return header === undefined || holds(header, changeNo)
}

/** The newest state that an `If-Match` header knows of, to say what has changed since; 0 when it names none of ours. */
export function newestKnown(header: string): number {
  const numbers = [...header.matchAll(/"(\d{1,15})"/g)].map((match) => Number(match[1]))
  return Math.max(0, ...numbers)
}

function holds(header: string, changeNo: number): boolean {
  return holdsTag(header, etagOf(changeNo))
}

/** Whether a header names the tag, or any by `*`. Weak and strong tags count alike: a proxy that compresses may have weakened ours. */
export function holdsTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  const opaque = etag.replace(WEAK, '')
  return header.split(',').some((tag) => tag.trim().replace(WEAK, '') === opaque)
}

const WEAK = /^W\//
