// Contents of removed documents. Each is marked in the write that removes its last reference, and deleted after the
// commit: what an interrupted command has left marked is deleted by the next one. A request that stores a marked
// content again is told to send it again.
import type { FileStore } from '../files/file-store.ts'
import { SWEPT_MS } from '../records/documents/document/store-content.ts'
import { deleteSweepMarks, isReferenced, listSweepMarks, markSweptFile } from '../records/documents/revision-store.ts'
import type { Actor, Store, Tx } from '../store/store.ts'

/** Marks those of the contents that no document refers to any more, and returns them. */
export async function markContents(tx: Tx, contents: readonly string[]): Promise<string[]> {
  const marked: string[] = []
  for (const hash of new Set(contents)) {
    if (await isReferenced(tx, hash)) continue
    await markSweptFile(tx, hash)
    marked.push(hash)
  }
  return marked
}

/** Deletes contents soon after the commit of their marks. */
export async function deleteContents(files: FileStore, companyId: string, marked: readonly string[]): Promise<void> {
  for (const hash of marked) await files.remove(companyId, hash)
}

/** Deletes what an interrupted command has left, and forgets older marks. */
export async function deleteLeftContents(
  store: Store,
  files: FileStore,
  companyId: string,
  actor: Actor,
): Promise<void> {
  if ((await listSweepMarks(store.reading(companyId))).length === 0) return
  const marked = await store.write(companyId, actor, async (tx) => markContents(tx, await listSweepMarks(tx)))
  await deleteContents(files, companyId, marked)
  await store.write(companyId, actor, (tx) =>
    deleteSweepMarks(tx, new Date(Date.parse(tx.at) - SWEPT_MS).toISOString()),
  )
}
