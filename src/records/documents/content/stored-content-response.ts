// Responses to writes of contents, and their replay: the stored response is complete except for the content itself.

import type { Reply } from '../../../http/reply/send.ts'
import type { ApiRequest } from '../../../http/router.ts'
import type { RecordAccess } from '../../shared/access/record-access.ts'
import type { StoredResponse } from '../../shared/idempotency/idempotent.ts'
import { redactedParts } from '../document-access.ts'
import type { DocumentService } from '../document-service.ts'
import { type Chunks, openInMemory, type RecordParts, replyAround } from './content-reply.ts'

export interface StoredContentResponse extends StoredResponse {
  readonly more: RecordParts
}

/** The first reply, with the content that was opened when it was stored. */
export function replyOfStored(
  { onClosed }: ApiRequest,
  { status, headers: storedHeaders, more }: StoredContentResponse,
  content: Chunks,
): Reply {
  onClosed(() => void content.return().catch(() => {}))
  const { headers, ...reply } = replyAround(more, content)
  return { status, ...reply, headers: { ...headers, ...storedHeaders } }
}

/** The reply to a retry, with the stored content and the members of the record that are visible to the caller now. */
export async function replayContent(
  service: DocumentService,
  request: ApiRequest,
  { status, headers: storedHeaders, more }: StoredContentResponse,
  access: RecordAccess | undefined,
): Promise<Reply> {
  const { id: companyId } = service.companies.require(request.companyId)
  const visible = access ? redactedParts(access, more) : more
  // The response uses the memory that the request already has: waiting for more could deadlock.
  const { headers, ...reply } = replyAround(visible, await openInMemory(service, request, companyId, visible.file))
  return { status, ...reply, headers: { ...headers, ...storedHeaders } }
}
