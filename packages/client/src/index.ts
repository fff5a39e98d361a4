// The typed client of Tabularium.
export { type Client, type ClientSettings, createClient, type Service } from './client.ts'
export { Filter, type FilterValue, filter } from './filter.ts'
export type { Finding } from './findings.ts'
export type {
  CallOptions,
  ChangeOptions,
  ClientRequest,
  Method,
  QueryValue,
  RepeatableBody,
  SentBody,
  WriteOptions,
} from './http/request.ts'
export type { Surroundings } from './http/surroundings.ts'
export type { Credentials } from './http/tokens.ts'
export type { OnProgress } from './http/upload-body.ts'
export {
  ConflictProblem,
  type ForeignChange,
  GoneProblem,
  NetworkProblem,
  NotAuthenticatedProblem,
  NotAuthorisedProblem,
  NotFoundProblem,
  Problem,
  RateLimitProblem,
  UnavailableProblem,
  ValidationProblem,
} from './problems.ts'
export type { BatchOptions, BatchRequest, BatchResponse } from './resources/batch.ts'
export type {
  BatchOperation,
  BatchOperations,
  OperationStatus,
  RejectedRow,
  RowUpload,
  WaitOptions,
} from './resources/batch-operations.ts'
export type {
  AggregateQuery,
  AnswerInfo,
  AnyRow,
  Collection,
  CollectionQuery,
  Page,
  PagesQuery,
  RowsQuery,
} from './resources/collection.ts'
export type { DocumentFilter, Documents, Upload, Uploaded, UploadOptions } from './resources/documents.ts'
export type { ArchivedFile } from './resources/download.ts'
export type { Change, ChangeBatch, FeedOptions } from './resources/feed.ts'
export type { AnyRecord, PatchOperation, ReadOptions, RecordChange, RecordKey, Records } from './resources/records.ts'
export type { ObjectCollections, Resources } from './resources/resources.ts'
export type {
  SearchGroup,
  SearchHit,
  SearchMatch,
  SearchOptions,
  SearchResult,
  SearchValue,
} from './resources/search.ts'
export type { Selection } from './resources/select-text.ts'
export type { Stored } from './resources/stored.ts'
export type {
  Association,
  Coded,
  ComplexGroup,
  DocumentTypes,
  Group,
  GroupOnRequest,
  List,
  Value,
} from './types/company.ts'
export type { Field, Fields } from './types/fields.ts'
export type { TypedCollection, TypedObjects } from './types/objects.ts'
export type { SelectError } from './types/row.ts'
export type { SelectedRow, SelectObject } from './types/select.ts'
