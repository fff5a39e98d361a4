// Holds the records and the file store against each other: every content that a record refers to must be there and fit its
// hash; what nobody refers to is left over from requests that were refused or killed at the last moment.
import { type FileStore, type KeptFile, MissingFile } from '../../files/file-store.ts'
import { DamagedFile, readVerified } from '../../files/verified.ts'
import type { Companies } from '../../setup/companies.ts'
import type { Actor, Store } from '../../store/store.ts'
import { SWEPT_MS } from './keep-content.ts'
import {
  countReferredFiles,
  forgetSweptFiles,
  isReferredTo,
  listReferredFiles,
  listReferringRevisions,
  markSweptFile,
  type ReferredFile,
} from './revision-store.ts'

export interface FilesToCheck {
  readonly store: Store
  readonly companies: Companies
  readonly files: FileStore
}

/** What is wrong with a content that records refer to. */
export interface FileFault {
  readonly kind: 'missing' | 'damaged'
  readonly companyId: string
  readonly hash: string
  /** Some of the revisions that have it, as `document/number`. */
  readonly revisions: readonly string[]
}

/** Contents that nobody refers to. */
export interface Unreferenced {
  files: number
  bytes: number
  /** Of them. */
  swept: number
}

/** Younger ones may belong to a request that is not over yet. */
const SWEPT_FROM_MS = 24 * 60 * 60_000
const PAGE = 200
/** Contents that are read side by side: a file store far away answers late. */
const READ_AT_ONCE = 4
const ACTOR: Actor = { userId: 'files check', clientId: '', requestId: 'files-check' }

export async function countFilesToCheck({ store, companies }: FilesToCheck): Promise<number> {
  let files = 0
  for (const { id } of companies.all) files += await countReferredFiles(store.reading(id))
  return files
}

/** Reads every content that a record refers to; tells each that is wrong, and how many have been read. */
export async function findFaults(
  parts: FilesToCheck,
  tell: (fault: FileFault) => void,
  progress: (files: number) => void,
): Promise<void> {
  let read = 0
  for (const { id: companyId } of parts.companies.all) {
    const tx = parts.store.reading(companyId)
    for (let above = ''; ; ) {
      const page = await listReferredFiles(tx, above, PAGE)
      const waiting = [...page]
      const readOnes = async () => {
        for (let file = waiting.shift(); file; file = waiting.shift()) {
          const fault = await findFault(parts, companyId, file)
          if (fault) tell(fault)
          progress(++read)
        }
      }
      await Promise.all(Array.from({ length: READ_AT_ONCE }, readOnes))
      const last = page.at(-1)
      if (!last) break
      above = last.file_hash
    }
  }
}

async function findFault(
  { store, files }: FilesToCheck,
  companyId: string,
  { file_hash: hash, doc_size: size }: ReferredFile,
): Promise<FileFault | undefined> {
  try {
    for await (const _piece of readVerified(files, companyId, { hash, size }));
    return undefined
  } catch (error) {
    const kind = error instanceof MissingFile ? 'missing' : error instanceof DamagedFile ? 'damaged' : undefined
    if (!kind) throw error
    const referring = await listReferringRevisions(store.reading(companyId), hash)
    const revisions = referring.map(({ document_id, revision_no }) => `${document_id}/${revision_no}`)
    return { kind, companyId, hash, revisions }
  }
}

/** Looks for contents that nobody refers to; those older than a day are taken away when `isSweeping` says so. */
export async function findUnreferenced(parts: FilesToCheck, isSweeping: boolean): Promise<Unreferenced> {
  const found: Unreferenced = { files: 0, bytes: 0, swept: 0 }
  for await (const file of parts.files.list()) {
    if (await isReferredTo(parts.store.reading(file.companyId), file.hash)) continue
    found.files++
    found.bytes += file.size
    if (isSweeping && Date.now() - file.keptAt.getTime() > SWEPT_FROM_MS && (await sweep(parts, file))) found.swept++
  }
  return found
}

/** The mark is on disk before the content goes: who keeps the same content at this moment is told to send it again. */
async function sweep({ store, companies, files }: FilesToCheck, { companyId, hash }: KeptFile): Promise<boolean> {
  // A folder of a company that is not set up is nobody's to clean.
  if (!companies.find(companyId)) return false
  const mayGo = await store.write(companyId, ACTOR, async (tx) => {
    if (await isReferredTo(tx, hash)) return false
    await forgetSweptFiles(tx, new Date(Date.parse(tx.at) - SWEPT_MS).toISOString())
    await markSweptFile(tx, hash)
    return true
  })
  if (mayGo) await files.remove(companyId, hash)
  return mayGo
}
