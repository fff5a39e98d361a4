// Access to the archive. Revisions, contents and thumbnails have the access rules of their document.

import type { Caller } from '../../access/caller.ts'
import { Document } from '../../model/records/document.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import type { ReadTx } from '../../store/store.ts'
import { type RecordAccess, recordAccess } from '../shared/record-access.ts'
import type { RecordOperation } from '../shared/record-type.ts'
import { type FoundDocument, findDocument } from './document-store.ts'

/** The caller's access to single documents for an operation. */
export function documentAccess(caller: Caller, company: CompanyRules, operation: RecordOperation) {
  return recordAccess(caller, company, `documents:${operation}`, Document.document)
}

/** Selects the row of a document within its company. */
export function keyFilterOf(documentId: string): KeyFilter {
  return [['document_id', documentId]]
}

/** Returns the document, or undefined if it is not visible to the caller. It is not redacted. */
export function findVisible(tx: ReadTx, access: RecordAccess, documentId: string): Promise<FoundDocument | undefined> {
  return access.find(
    tx,
    () => keyFilterOf(documentId),
    () => findDocument(tx, documentId),
  )
}

/** Removes the hidden members from both halves of a record. */
export function redactedParts<Parts extends { readonly before: string; readonly after: string }>(
  access: RecordAccess,
  parts: Parts,
): Parts {
  return { ...parts, before: access.redact(parts.before), after: access.redact(parts.after) }
}

/** Hides the name and the type of a file where they are used outside the record, such as in headers. */
export function redactedFile<File extends { readonly file_name: string; readonly mime_type: string }>(
  access: RecordAccess,
  file: File,
): File {
  return {
    ...file,
    ...(access.hides(['fileName']) ? { file_name: 'content' } : {}),
    ...(access.hides(['mimeType']) ? { mime_type: 'application/octet-stream' } : {}),
  }
}
