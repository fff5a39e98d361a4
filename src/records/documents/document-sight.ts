// What a caller sees of the archive. Revisions, contents and thumbnails belong to their document.
import type { Caller } from '../../access/caller.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import type { ReadTx, Scope } from '../../store/store.ts'
import { type Sight, sightOf } from '../shared/sight.ts'
import { archiveDocument } from './document-archive.ts'
import { type FoundDocument, findDocument } from './document-store.ts'

/** What the caller sees of single documents when the operation is done on them. */
export function documentSight(
  caller: Caller,
  company: CompanyRules,
  operation: 'create' | 'read' | 'update' | 'delete',
) {
  return sightOf(caller, company, `documents:${operation}`, archiveDocument)
}

/** The row of a document, below its company. */
export function rowWith(documentId: string): Scope {
  return [['document_id', documentId]]
}

/** A document, whole, when the caller sees it. */
export function findSeen(tx: ReadTx, sight: Sight, documentId: string): Promise<FoundDocument | undefined> {
  return sight.find(tx, rowWith(documentId), () => findDocument(tx, documentId))
}

/** Both halves of a record without what is hidden. */
export function shownParts<Parts extends { readonly before: string; readonly after: string }>(
  sight: Sight,
  parts: Parts,
): Parts {
  return { ...parts, before: sight.shown(parts.before), after: sight.shown(parts.after) }
}

/** What else tells the name and the type of a file, such as headers. */
export function shownFile<File extends { readonly file_name: string; readonly mime_type: string }>(
  sight: Sight,
  file: File,
): File {
  return {
    ...file,
    ...(sight.hides(['fileName']) ? { file_name: 'content' } : {}),
    ...(sight.hides(['mimeType']) ? { mime_type: 'application/octet-stream' } : {}),
  }
}
