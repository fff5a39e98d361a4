// The order in which a content and its record become lasting: first the content, then the record that refers to it. What
// is kept and never referred to, because the record was refused at last, is swept later.
import { unavailable } from '../../errors/catalogue.ts'
import { readVerified } from '../../files/verified.ts'
import { begun } from '../../http/begun.ts'
import type { ReceivedFile } from '../../http/file-body/received.ts'
import type { ReadTx } from '../../store/store.ts'
import type { Pieces } from './content-reply.ts'
import type { DocumentService } from './document-service.ts'
import { wasSweptSince } from './revision-store.ts'

/** Longer than any request takes from keeping its content to its record. */
export const SWEPT_MS = 15 * 60_000
const RETRY_AFTER_SECONDS = 60

/** What was written, and the content as it was kept, begun to be read: to be taken or ended. */
export interface Kept<T> {
  readonly written: T
  readonly content: Pieces
}

/**
 * Keeps the content and begins to read it, then writes the record: what follows an acknowledged write must not fail any
 * more, or the caller would send it again. Within the write, `isStillThere` must be asked: somebody may sweep a content
 * that nothing refers to at the very moment when it is kept again. Throws 503 then; the caller sends it once more.
 */
export async function keepContent<T>(
  { files, clock }: DocumentService,
  companyId: string,
  staged: ReceivedFile,
  write: (isStillThere: (tx: ReadTx) => Promise<void>) => Promise<T>,
): Promise<Kept<T>> {
  await files.keep(companyId, staged)
  const content = await begun(readVerified(files, companyId, staged))
  try {
    const written = await write(async (tx) => {
      const since = new Date(clock().getTime() - SWEPT_MS).toISOString()
      if (await wasSweptSince(tx, staged.hash, since)) {
        throw unavailable('The content was being removed when it was sent. Send it again.', RETRY_AFTER_SECONDS)
      }
    })
    return { written, content }
  } catch (error) {
    await content.return()
    throw error
  }
}
