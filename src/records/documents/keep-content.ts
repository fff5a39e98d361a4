// The order in which a content and its record become lasting: first the content, then the record that refers to it. What
// is kept and never referred to, because the record was refused at last, is swept later.
import { unavailable } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { type FileStore, MissingFile } from '../../files/file-store.ts'
import { readStaged } from '../../files/read-staged.ts'
import { readVerified } from '../../files/verified.ts'
import { begun } from '../../http/begun.ts'
import type { ReceivedFile } from '../../http/file-body/received.ts'
import type { ReadTx } from '../../store/store.ts'
import type { Pieces } from './content-reply.ts'
import type { DocumentService } from './document-service.ts'
import { wasSweptSince } from './revision-store.ts'

/** Longer than any request takes from keeping its content to its record. */
export const SWEPT_MS = 5 * 60_000
const RETRY_AFTER_SECONDS = SWEPT_MS / 1000

/** What was written, and the content as it was kept, begun to be read: to be taken or ended. */
export interface Kept<T> {
  readonly written: T
  readonly content: Pieces
}

/**
 * Keeps the content and begins to read it, then writes the record: what follows an acknowledged write must not fail any
 * more, or the caller would send it again. Within the write, `isStillThere` must be asked: somebody may sweep a content
 * that nothing refers to at the very moment when it is kept again. Throws 503 then; the caller sends it once more. A trial
 * keeps nothing.
 */
export async function keepContent<T>(
  { files, clock }: DocumentService,
  companyId: string,
  { content: staged, isTrial }: { readonly content: ReceivedFile; readonly isTrial?: boolean | undefined },
  write: (isStillThere: (tx: ReadTx) => Promise<void>) => Promise<T>,
): Promise<Kept<T>> {
  if (!isTrial) await files.keep(companyId, staged)
  const content = isTrial ? await begun(readStaged(staged)) : await readBack(files, companyId, staged)
  try {
    const written = await write(async (tx) => {
      const since = new Date(clock().getTime() - SWEPT_MS).toISOString()
      if (await wasSweptSince(tx, staged.hash, since)) throw beingRemoved()
    })
    return { written, content }
  } catch (error) {
    await content.return()
    throw error
  }
}

/** It was there a moment ago: what is missing now was swept. */
async function readBack(files: FileStore, companyId: string, staged: ReceivedFile): Promise<Pieces> {
  try {
    return await begun(readVerified(files, companyId, staged))
  } catch (error) {
    throw error instanceof MissingFile ? beingRemoved(error) : error
  }
}

function beingRemoved(cause?: unknown): Problem {
  return unavailable('The content was being removed when it was sent. Send it again.', RETRY_AFTER_SECONDS, cause)
}
