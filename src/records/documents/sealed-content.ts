// Answers to writes of contents, and the same answers again: what is kept of one is all but the content itself.
import type { Call } from '../../http/edge.ts'
import type { Reply } from '../../http/send.ts'
import type { Sealed } from '../shared/answer-once.ts'
import { type Pieces, type RecordParts, replyAround, replyWithContent } from './content-reply.ts'
import type { DocumentService } from './document-service.ts'

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

/** With the content as it is kept now. */
export async function replySealed(
  service: DocumentService,
  call: Call,
  { status, headers: sealed, more }: SealedContent,
): Promise<Reply> {
  const { id: companyId } = service.companies.require(call.companyId)
  const { headers, ...reply } = await replyWithContent(service, call, companyId, more)
  return { status, ...reply, headers: { ...headers, ...sealed } }
}
