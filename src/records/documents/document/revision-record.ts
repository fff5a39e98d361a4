// The representation of a revision, in two halves between which the content is inserted.
import { withoutZone } from '../../../base/dates.ts'
import type { FoundRevision } from '../revision-store.ts'
import type { RecordParts } from './content-stream.ts'

/** The members in the order of the specification, without the content. */
export function revisionMembers(revision: FoundRevision) {
  return { ...membersBefore(revision), ...membersAfter(revision) }
}

export function revisionParts(revision: FoundRevision): RecordParts {
  return {
    before: JSON.stringify(membersBefore(revision)),
    after: JSON.stringify(membersAfter(revision)),
    file: { hash: revision.file_hash, size: revision.doc_size },
  }
}

function membersBefore({ document_id, comment }: FoundRevision) {
  return { id: document_id, comment }
}

function membersAfter({ file_name, revision_no, mime_type, updated_at, updated_by }: FoundRevision) {
  return {
    fileName: file_name,
    revisionNo: revision_no,
    mimeType: mime_type,
    lastUpdate: { updatedAt: withoutZone(updated_at), updatedBy: updated_by },
  }
}
