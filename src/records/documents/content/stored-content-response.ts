// Responses to writes of contents, and their replay: the stored response is complete except for the content itself.

import type { ReadRequest } from '../../../access/caller.ts'
import type { RecordAccess } from '../../shared/access/record-access.ts'
import type { StoredResponse, WriteReply } from '../../shared/idempotency/idempotent.ts'
import { redactedParts } from '../document-access.ts'
import type { DocumentService } from '../document-service.ts'
import { type Chunks, type ContentReader, openInMemory, type RecordParts, streamAround } from './content-stream.ts'

export interface StoredContentResponse extends StoredResponse {
  readonly more: RecordParts
}

/** The first reply, with the content that was opened when it was stored. */
export function replyOfStored(
  { onClosed }: ContentReader,
  { status, headers: storedHeaders, more }: StoredContentResponse,
  content: Chunks,
): WriteReply {
  onClosed(() => void content.return().catch(() => {}))
  const { headers, ...reply } = streamAround(more, content)
  return { status, ...reply, headers: { ...headers, ...storedHeaders } }
}

/** The reply to a retry, with the stored content and the members of the record that are visible to the caller now. */
export async function replayContent(
  service: DocumentService,
  request: ReadRequest & ContentReader,
  { status, headers: storedHeaders, more }: StoredContentResponse,
  access: RecordAccess | undefined,
): Promise<WriteReply> {
  const { id: companyId } = service.companies.require(request.companyId)
  const visible = access ? redactedParts(access, more) : more
  // The response uses the memory that the request already has: waiting for more could deadlock.
  const { headers, ...reply } = streamAround(visible, await openInMemory(service, request, companyId, visible.file))
  return { status, ...reply, headers: { ...headers, ...storedHeaders } }
}
