// The texts of documents and revisions as their lists answer them without contents, from what the journal has of them.
// Quotes inside texts are escaped, so that the name of a member with the comma before it stands nowhere else.
import type { RecordText } from './kind.ts'

const FILE_HASH = /,"fileHash":"[0-9a-f]*"/
const DOC_SIZE = /,"docSize":(\d+)/

export function documentText(journaled: string): RecordText {
  if (journaled === '') return { text: '', unseen: {} }
  const size = DOC_SIZE.exec(journaled)?.[1]
  return {
    text: journaled.replace(FILE_HASH, '').replace(DOC_SIZE, ''),
    unseen: size === undefined ? {} : { doc_size: Number(size) },
  }
}

export function revisionText(journaled: string): string {
  return journaled.replace(FILE_HASH, '')
}

/** The first revision of a document, which has no entry of its own. */
export function firstRevision(created: string): string {
  const { id, fileName, mimeType, lastUpdate } = JSON.parse(created)
  return JSON.stringify({ id, comment: '', fileName, revisionNo: 1, mimeType, lastUpdate })
}
