// Further dependencies of the use cases of documents: the file store and the processing of files.
import type { AdmissionQueue } from '../../base/concurrency/admission-queue.ts'
import type { FileStore } from '../../files/file-store.ts'
import type { ThumbnailMaker } from '../../files/processes/thumbnail-maker.ts'
import type { Service } from '../shared/service.ts'

export interface DocumentService extends Service {
  /** Creates a new GUID. */
  readonly newId: () => string
  readonly files: FileStore
  readonly thumbnails: ThumbnailMaker
  /** Limits the memory of contents in requests and responses. */
  readonly budget: AdmissionQueue
  /** Called for each new file, whose text may have to be indexed for the full-text search. */
  readonly onFileAdded: (companyId: string, mimeType: string) => void
}
