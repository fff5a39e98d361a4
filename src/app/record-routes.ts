import type { RouteTable } from '../http/route/route.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { accessRoutes } from '../objects/access-routes.ts'
import type { DeclaredDocuments } from '../objects/declared-documents.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import { objectRoutes } from '../objects/routes.ts'
import { searchRoutes } from '../objects/search/routes.ts'
import { odataRoutes } from '../odata/routes.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import { attributeRelationRoutes } from '../records/attribute-relations/routes.ts'
import { attributeValueRoutes } from '../records/attribute-values/routes.ts'
import { fileRoutes } from '../records/documents/document/content-routes.ts'
import { revisionRoutes } from '../records/documents/document/revision-routes.ts'
import { documentRoutes } from '../records/documents/document/routes.ts'
import { documentTypeRoutes } from '../records/documents/document/type-routes.ts'
import type { DocumentService } from '../records/documents/document-service.ts'
import { builtInRoutes } from '../records/kinds/built-in-routes.ts'
import { declaredRoutes } from '../records/kinds/declared-routes.ts'
import type { PastRecords } from '../records/shared/past-records.ts'
import type { PastCollections } from '../store/collection.ts'

export interface ServedDocuments {
  readonly builtIn: readonly EnterpriseDocument[]
  readonly custom: DeclaredDocuments
  /** Adds the indexes of the setup to a definition. */
  readonly withIndexes: (definition: DocumentDefinition) => DocumentDefinition
}

export type RecordService = DocumentService & {
  readonly past: PastCollections
  readonly pastRecords: PastRecords
  readonly parquet: ParquetFiles
}

/** Declares every route that needs a caller, but that of the metrics. */
export function recordRoutes(
  table: RouteTable,
  service: RecordService,
  { builtIn, custom, withIndexes }: ServedDocuments,
): void {
  attributeValueRoutes(table, { ...service, withIndexes })
  attributeRelationRoutes(table, service)
  builtInRoutes(table, service)
  documentRoutes(table, service)
  documentTypeRoutes(table, service)
  revisionRoutes(table, service)
  fileRoutes(table, service)
  objectRoutes(table, service, builtIn, custom)
  searchRoutes(table, service, builtIn, custom)
  declaredRoutes(table, service)
  odataRoutes(table, service, () => [...builtIn, ...custom.all])
  accessRoutes(table, service.companies, builtIn, custom)
}
