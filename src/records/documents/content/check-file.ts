// The rules of a file: its name, and a content that matches the type of the name.
import type { Findings } from '../../../errors/findings.ts'
import { extensionOf, matchesSignature, typeOfName } from '../../../files/content-type.ts'
import { fileNameProblem } from '../../../files/file-name.ts'
import type { GivenContent, StagedFile } from '../../../files/file-store.ts'
import { checkRequired } from '../../shared/required-field.ts'
import { notBase64 } from '../document/document-id.ts'
import type { FileColumns } from '../document/document-store.ts'

/** Returns the content of a request. Throws 400 if it is not base64; a missing content is a finding. */
export function contentOf(content: GivenContent, findings: Findings): StagedFile | undefined {
  if (content === 'not-base64') throw notBase64()
  if (typeof content !== 'string') return content
  checkRequired('fileContent', '', findings)
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
