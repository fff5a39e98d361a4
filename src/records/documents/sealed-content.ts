// Answers to writes of contents, and the same answers again: what is kept of one is all but the content itself.
import type { Call } from '../../http/edge.ts'
import type { Reply } from '../../http/send.ts'
import type { Sealed } from '../shared/answer-once.ts'
import type { Sight } from '../shared/sight.ts'
import { openInMemory, type Pieces, type RecordParts, replyAround } from './content-reply.ts'
import type { DocumentService } from './document-service.ts'
import { shownParts } from './document-sight.ts'

export interface SealedContent extends Sealed {
  readonly more: RecordParts
}

/** With the content that was opened when it was kept. */
export function replyOfKept(
  { onClosed }: Call,
  { status, headers: sealed, more }: SealedContent,
  content: Pieces,
): Reply {
  onClosed(() => void content.return().catch(() => {}))
  const { headers, ...reply } = replyAround(more, content)
  return { status, ...reply, headers: { ...headers, ...sealed } }
}

/** With the content as it is kept now, and what of the record the caller may see now. */
export async function replySealed(
  service: DocumentService,
  call: Call,
  { status, headers: sealed, more }: SealedContent,
  sight: Sight | undefined,
): Promise<Reply> {
  const { id: companyId } = service.companies.require(call.companyId)
  const shown = sight ? shownParts(sight, more) : more
  // The memory of the request serves for the answer too: to wait for more could be to wait for oneself.
  const { headers, ...reply } = replyAround(shown, await openInMemory(service, call, companyId, shown.file))
  return { status, ...reply, headers: { ...headers, ...sealed } }
}
