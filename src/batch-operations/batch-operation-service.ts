// What the use cases of batch operations need.
import type { FileStore } from '../files/file-store.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import type { Service } from '../records/shared/service.ts'

export interface BatchOperationService extends Service {
  readonly files: FileStore
  /** Generates the ids of operations: GUIDs in lower case. */
  readonly newId: () => string
  /** Built-in and custom documents. */
  readonly documents: () => Iterable<EnterpriseDocument>
  readonly operations: Operations
}

/** What does the operations, as far as requests need it. */
interface Operations {
  /** Tells that there may be something to do in the company. */
  wake(companyId: string): void
}
