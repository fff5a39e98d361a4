// Names of files are kept as they came, but only names that mean one thing everywhere. No path is ever made of one.

const MOST_BYTES = 255
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const PATH_PART = /[/\\]/
/** Marks that turn the direction of the text, so that `exe.pdf` may be read where `fdp.exe` stands. */
const DIRECTION = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/

/** What is wrong with a file name, or nothing. */
export function findFaultOfName(fileName: string): string | undefined {
  if (Buffer.byteLength(fileName) > MOST_BYTES) return `File name must not be longer than ${MOST_BYTES} bytes`
  if (PATH_PART.test(fileName)) return "File name must not contain '/' or '\\'"
  if (CONTROL.test(fileName)) return 'File name must not contain control characters'
  if (DIRECTION.test(fileName)) return 'File name must not contain marks of text direction'
  if (/^\.+$/.test(fileName) || fileName.trim() === '') return 'File name must not consist of dots or blanks'
  return undefined
}
