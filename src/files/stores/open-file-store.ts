import { join } from 'node:path'
import type { FileStore } from '../file-store.ts'
import { Staging } from '../staging.ts'
import { openFolderStore, stagingFolder } from './folder.ts'

export interface FileStoreSettings {
  /** A folder, or `s3://bucket/prefix`; by default a folder in `data`. */
  readonly files: string | undefined
  /** The folder of the service, where contents wait on their way to S3. */
  readonly data: string
}

export interface OpenedFileStore {
  readonly store: FileStore
  readonly staging: Staging
}

/** Opens the place where file contents are kept, and the one where they wait. */
export async function openFileStore({ files, data }: FileStoreSettings): Promise<OpenedFileStore> {
  const own = join(data, 'files')
  if (files === undefined || !/^s3:/i.test(files)) return openFolder(files ?? own)
  // Loaded only by those who use it: it is large.
  const { openS3Store } = await import('./s3.ts')
  const staging = await Staging.open(stagingFolder(own))
  return { store: await openS3Store(files, process.env), staging }
}

async function openFolder(root: string): Promise<OpenedFileStore> {
  const store = await openFolderStore(root)
  return { store, staging: await Staging.open(stagingFolder(root)) }
}
