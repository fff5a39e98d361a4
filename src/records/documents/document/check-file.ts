// The rules of a file: its name, and a content that matches the type of the name.
import type { Findings } from '../../../errors/findings.ts'
import { extensionOf, matchesSignature, typeOfName } from '../../../files/content-type.ts'
import type { GivenContent, StagedFile } from '../../../files/file-store.ts'
import { checkRequired } from '../../shared/required-field.ts'
import { notBase64 } from '../document-id.ts'
import type { FileColumns } from '../document-store.ts'

/**
 * Returns the content of a request. Throws 400 if it is not base64; a missing content is a finding. `inBody`: what was
 * left in the body, from which a string is taken out. A number there was read as its text.
 */
export function contentOf(
  content: GivenContent,
  inBody: string | undefined,
  findings: Findings,
): StagedFile | undefined {
  if (content === 'not-base64') throw notBase64()
  if (typeof content !== 'string') return content
  if (inBody) findings.addUnreadable('fileContent', 'The field fileContent must be a string.')
  else checkRequired('fileContent', '', findings)
  return undefined
}

/** Checks the file and adds the findings. Returns the columns to be stored. */
export async function checkFile(
  fileName: string,
  content: StagedFile | undefined,
  findings: Findings,
  requiresExtension = false,
): Promise<FileColumns | undefined> {
  if (!checkRequired('fileName', fileName, findings)) return undefined
  const fault = fileNameProblem(fileName)
  if (fault !== undefined) {
    findings.add('fileName', 3010, fault, 400)
    return undefined
  }
  if (requiresExtension && extensionOf(fileName) === '') {
    findings.add('fileName', 3010, 'File name must include an extension', 400)
  }
  const mimeType = typeOfName(fileName)
  if (!content) return undefined
  if (!matchesSignature(mimeType, content.head)) {
    findings.add('mimeType', 3010, `The content of ${fileName} is not ${mimeType}`, 400)
  }
  return { file_name: fileName, mime_type: mimeType, doc_size: content.size, file_hash: content.hash }
}

const MAX_BYTES = 255
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const PATH_PART = /[/\\]/
/** Windows leaves them out, so the name would be another there. */
const AT_END = /[.\s]$/
/** Marks of text direction can make `fdp.exe` look like `exe.pdf`. */
const DIRECTION = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/

/**
 * Returns what is wrong with a file name, or undefined. Names are stored unchanged, but ambiguous or deceptive ones are
 * rejected. A name is never part of a path.
 */
export function fileNameProblem(fileName: string): string | undefined {
  if (Buffer.byteLength(fileName) > MAX_BYTES) return `File name must not be longer than ${MAX_BYTES} bytes`
  if (PATH_PART.test(fileName)) return "File name must not contain '/' or '\\'"
  if (CONTROL.test(fileName)) return 'File name must not contain control characters'
  if (DIRECTION.test(fileName)) return 'File name must not contain marks of text direction'
  if (AT_END.test(fileName)) return 'File name must not end with a dot or a blank'
  return undefined
}
