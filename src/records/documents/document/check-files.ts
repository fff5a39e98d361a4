// Compares the records with the file store: every content that a record refers to must exist and match its hash.
// Unreferenced contents are left over from requests that were rejected or killed after their content was stored.
import { type FileStore, MissingFile, type StoredFile } from '../../../files/file-store.ts'
import { DamagedFile, readVerified } from '../../../files/verified.ts'
import type { Companies } from '../../../setup/rules/companies.ts'
import type { Actor, Store } from '../../../store/store.ts'
import {
  countReferencedFiles,
  deleteSweepMarks,
  isReferenced,
  listReferencedFiles,
  listReferencingRevisions,
  markSweptFile,
  type ReferencedFile,
} from '../revision-store.ts'
import { SWEPT_MS } from './store-content.ts'

export interface FilesToCheck {
  readonly store: Store
  readonly companies: Companies
  readonly files: FileStore
}

/** A missing or damaged content that records refer to. */
export interface FileFault {
  readonly kind: 'missing' | 'damaged'
  readonly companyId: string
  readonly hash: string
  /** Some of the revisions with this content, as `document/number`. */
  readonly revisions: readonly string[]
}

/** Totals of the contents that no record refers to. */
export interface Unreferenced {
  files: number
  bytes: number
  /** How many of the files were deleted. */
  swept: number
}

/** Minimum age for deletion: a younger content may belong to a request that is still running. */
const MIN_SWEEP_AGE_MS = 24 * 60 * 60_000
const PAGE_SIZE = 200
/** Contents that are read concurrently, because a remote file store has a high latency. */
const CONCURRENT_READS = 4
const ACTOR: Actor = { userId: 'files check', clientId: '', requestId: 'files-check' }

export async function countFilesToCheck({ store, companies }: FilesToCheck): Promise<number> {
  let files = 0
  for (const { id } of companies.all) files += await countReferencedFiles(store.reading(id))
  return files
}

/** Reads every content that a record refers to. Reports each fault and the number of contents read. */
export async function findFaults(
  parts: FilesToCheck,
  report: (fault: FileFault) => void,
  progress: (files: number) => void,
): Promise<void> {
  let read = 0
  for (const { id: companyId } of parts.companies.all) {
    const tx = parts.store.reading(companyId)
    for (let above = ''; ; ) {
      const page = await listReferencedFiles(tx, above, PAGE_SIZE)
      const remaining = [...page]
      const readRemaining = async () => {
        for (let file = remaining.shift(); file; file = remaining.shift()) {
          const fault = await findFault(parts, companyId, file)
          if (fault) report(fault)
          progress(++read)
        }
      }
      await Promise.all(Array.from({ length: CONCURRENT_READS }, readRemaining))
      const last = page.at(-1)
      if (!last) break
      above = last.file_hash
    }
  }
}

async function findFault(
  { store, files }: FilesToCheck,
  companyId: string,
  { file_hash: hash, doc_size: size }: ReferencedFile,
): Promise<FileFault | undefined> {
  try {
    for await (const _chunk of readVerified(files, companyId, { hash, size }));
    return undefined
  } catch (error) {
    const kind = error instanceof MissingFile ? 'missing' : error instanceof DamagedFile ? 'damaged' : undefined
    if (!kind) throw error
    const referring = await listReferencingRevisions(store.reading(companyId), hash)
    const revisions = referring.map(({ document_id, revision_no }) => `${document_id}/${revision_no}`)
    return { kind, companyId, hash, revisions }
  }
}

/** Finds contents that no record refers to and, if `isSweeping`, deletes those older than a day. */
export async function findUnreferenced(parts: FilesToCheck, isSweeping: boolean): Promise<Unreferenced> {
  const found: Unreferenced = { files: 0, bytes: 0, swept: 0 }
  for await (const file of parts.files.list()) {
    if (await isReferenced(parts.store.reading(file.companyId), file.hash)) continue
    found.files++
    found.bytes += file.size
    if (isSweeping && Date.now() - file.storedAt.getTime() > MIN_SWEEP_AGE_MS && (await sweep(parts, file)))
      found.swept++
  }
  return found
}

/**
 * Deletes a content after its mark is durable: a concurrent request that stores the same content must then send it
 * again.
 */
async function sweep({ store, companies, files }: FilesToCheck, { companyId, hash }: StoredFile): Promise<boolean> {
  // Files of a company that is not in the setup are left alone.
  if (!companies.known(companyId)) return false
  const isUnreferenced = await store.write(companyId, ACTOR, async (tx) => {
    if (await isReferenced(tx, hash)) return false
    await deleteSweepMarks(tx, new Date(Date.parse(tx.at) - SWEPT_MS).toISOString())
    await markSweptFile(tx, hash)
    return true
  })
  if (isUnreferenced) await files.remove(companyId, hash)
  return isUnreferenced
}
