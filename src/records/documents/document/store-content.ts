// The order in which a content and its record become lasting: first the content, then the record that refers to it.
// What is kept and never referred to, because the record was refused at last, is swept later.

import { peekFirst } from '../../../base/byte-stream.ts'
import { unavailable } from '../../../errors/catalogue.ts'
import type { Problem } from '../../../errors/problem.ts'
import { type FileStore, MissingFile, type StagedFile } from '../../../files/file-store.ts'
import { readStaged } from '../../../files/staging.ts'
import { readVerified } from '../../../files/verified.ts'
import type { ReadTx } from '../../../store/store.ts'
import type { DocumentService } from '../document-service.ts'
import { wasSweptSince } from '../revision-store.ts'
import type { Chunks } from './content-stream.ts'

/** Longer than any request takes between storing its content and writing its record. */
export const SWEPT_MS = 5 * 60_000
const RETRY_AFTER_SECONDS = SWEPT_MS / 1000

/** The written record, and an open stream of the stored content. The caller must read or close it. */
export interface StoredContent<T> {
  readonly written: T
  readonly content: Chunks
}

/**
 * Stores the content and opens it, then writes the record: nothing may fail after the commit, or the caller would send
 * the request again. The write must call `requireNotSwept`, because a concurrent sweep may delete an unreferenced
 * content while it is stored again. It then throws 503, and the caller retries. A validation-only write stores nothing.
 */
export async function storeContent<T>(
  { files, clock }: Pick<DocumentService, 'files' | 'clock'>,
  companyId: string,
  { content: staged, validateOnly }: { readonly content: StagedFile; readonly validateOnly?: boolean | undefined },
  write: (requireNotSwept: (tx: ReadTx) => Promise<void>) => Promise<T>,
): Promise<StoredContent<T>> {
  if (!validateOnly) await files.put(companyId, staged)
  const content = validateOnly ? await peekFirst(readStaged(staged)) : await readBack(files, companyId, staged)
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

/** Opens the content that was just stored: if it is missing, it was swept. */
async function readBack(files: FileStore, companyId: string, staged: StagedFile): Promise<Chunks> {
  try {
    return await peekFirst(readVerified(files, companyId, staged))
  } catch (error) {
    throw error instanceof MissingFile ? beingRemoved(error) : error
  }
}

function beingRemoved(cause?: unknown): Problem {
  return unavailable('The content was being removed when it was sent. Send it again.', RETRY_AFTER_SECONDS, cause)
}
