// File names are stored unchanged, but ambiguous or deceptive ones are rejected. A name is never part of a path.

const MAX_BYTES = 255
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const PATH_PART = /[/\\]/
/** Windows leaves them out, so the name would be another there. */
const AT_END = /[.\s]$/
/** Marks of text direction can make `fdp.exe` look like `exe.pdf`. */
const DIRECTION = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/

/** Returns what is wrong with a file name, or undefined. */
export function fileNameProblem(fileName: string): string | undefined {
  if (Buffer.byteLength(fileName) > MAX_BYTES) return `File name must not be longer than ${MAX_BYTES} bytes`
  if (PATH_PART.test(fileName)) return "File name must not contain '/' or '\\'"
  if (CONTROL.test(fileName)) return 'File name must not contain control characters'
  if (DIRECTION.test(fileName)) return 'File name must not contain marks of text direction'
  if (AT_END.test(fileName)) return 'File name must not end with a dot or a blank'
  return undefined
}
