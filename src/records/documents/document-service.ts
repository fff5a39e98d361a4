// What the use cases of documents need beside what all have: where files are kept, and what is made of them.
import type { FileStore } from '../../files/file-store.ts'
import type { ThumbnailMaker } from '../../files/thumbnails/thumbnail-maker.ts'
import type { Budget } from '../../http/budget.ts'
import type { Service } from '../shared/service.ts'

export interface DocumentService extends Service {
  /** A new GUID each time. */
  readonly newId: () => string
  readonly files: FileStore
  readonly thumbnails: ThumbnailMaker
  /** Memory for contents on their way. */
  readonly budget: Budget
  /** Is told of each new file: it may wait to be read for the full-text search. */
  readonly onFileAdded: (companyId: string, mimeType: string) => void
}
