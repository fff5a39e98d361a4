import { join } from 'node:path'
import type { FileStore } from './file-store.ts'
import { openFolderStore, stagingFolder } from './folder.ts'
import { type Staging, StagingFolder } from './staging.ts'

interface FileStoreSettings {
  /** A folder, or `s3://bucket/prefix`. Default: a folder in `data`. */
  readonly files: string | undefined
  /** The data folder of the service, which has the staging folder for S3. */
  readonly data: string
  /** Whether a bucket is tried with an object: that of a service, which will write. */
  readonly isTried?: boolean
}

export interface OpenedFileStore {
  readonly store: FileStore
  readonly staging: Staging
}

/** Opens the file store and its staging folder. */
export async function openFileStore({ files, data, isTried }: FileStoreSettings): Promise<OpenedFileStore> {
  const defaultFolder = join(data, 'files')
  if (files === undefined || !/^s3:/i.test(files)) return openFolder(files ?? defaultFolder)
  // Loaded on demand, because the S3 client is large.
  const { openS3Store } = await import('./s3.ts')
  const staging = await StagingFolder.open(stagingFolder(defaultFolder))
  return { store: await openS3Store(files, process.env, isTried), staging }
}

async function openFolder(root: string): Promise<OpenedFileStore> {
  const store = await openFolderStore(root)
  return { store, staging: await StagingFolder.open(stagingFolder(root)) }
}
