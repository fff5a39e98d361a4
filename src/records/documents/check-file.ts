// The rules of a file: its name, and a content that is what the name promises.
import type { Findings } from '../../errors/findings.ts'
import { agreesWith, endingOf, typeOfName } from '../../files/content-type.ts'
import { findFaultOfName } from '../../files/file-name.ts'
import type { GivenContent, ReceivedFile } from '../../http/file-body/received.ts'
import { notBase64 } from './document-id.ts'
import type { FileColumns } from './document-store.ts'
import { checkRequired } from './required.ts'

/** The content of a request. Throws 400 when it should have been base64; none is a finding. */
export function contentOf(content: GivenContent, findings: Findings): ReceivedFile | undefined {
  if (content === 'not-base64') throw notBase64()
  if (typeof content !== 'string') return content
  checkRequired('fileContent', '', findings)
  return undefined
}

/** Gathers what is wrong with the file; gives what is stored of it. */
export async function checkFile(
  fileName: string,
  content: ReceivedFile | undefined,
  findings: Findings,
  mustHaveEnding = false,
): Promise<FileColumns | undefined> {
  if (!checkRequired('fileName', fileName, findings)) return undefined
  const fault = findFaultOfName(fileName)
  if (fault !== undefined) {
    findings.add('fileName', 3010, fault, 400)
    return undefined
  }
  if (mustHaveEnding && endingOf(fileName) === '') {
    findings.add('fileName', 3010, 'File name must include an extension', 400)
  }
  const mimeType = typeOfName(fileName)
  if (!content) return undefined
  if (!agreesWith(mimeType, content.head)) {
    findings.add('mimeType', 3010, `The content of ${fileName} is not ${mimeType}`, 400)
  }
  return { file_name: fileName, mime_type: mimeType, doc_size: content.size, file_hash: content.hash }
}
