// The endpoints of documents: permissions, parameters, bodies and responses.

import { Type } from 'typebox'
import { changeNumbered, etagOf, isNoneMatch } from '../../../base/etag.ts'
import { joinedObjects } from '../../../base/text.ts'
import { companyParameter, fieldRefusal, refusal } from '../../../http/openapi/parameters.ts'
import { etagHeader } from '../../../http/route/replies.ts'
import type { ApiRequest, RouteTable } from '../../../http/route/route.ts'
import { type ParameterDescription, pathParameter, queryParameter } from '../../../model/option-texts.ts'
import { Document } from '../../../model/records/document.ts'
import { asOfIn } from '../../../query/options.ts'
import { idempotent } from '../../shared/idempotent.ts'
import { historyReply, type PastService, pastHeader, pastReply } from '../../shared/past-routes.ts'
import { getRecord } from '../../shared/record-pipeline.ts'
import { patchHandler, recordTexts, removeHandler } from '../../shared/record-routes.ts'
import { DocumentForm, envelopeOf, ListedDocument, UPLOAD_FORMAT } from '../document.ts'
import { documentAccess, keyFilterOf, redactedParts } from '../document-access.ts'
import { requireDocumentId } from '../document-id.ts'
import { documentRecord } from '../document-record.ts'
import type { DocumentService } from '../document-service.ts'
import type { FoundDocument } from '../document-store.ts'
import {
  type RecordParts,
  replayContent,
  replyOfStored,
  type StoredContentResponse,
  streamRecord,
} from './content-stream.ts'
import { createDocument } from './create-document.ts'
import { listDocuments } from './list-documents.ts'

const COLLECTION = '/v1/documents'
export const SINGLE = `${COLLECTION}/:id`

/** The format of errors about ids and base64, which has nulls in it. */
const information = Type.Object(
  { message: Type.String(), messageType: Type.Literal('Information'), code: Type.Null(), path: Type.Null() },
  { title: 'Information' },
)

export const refusalOfIdToo = (description: string) => refusal(description, information)
export const fieldRefusalOfIdToo = (description: string) => fieldRefusal(description, information)
/** The 400 of a path with the id of a document. */
export const notAGuid = refusalOfIdToo('The id is not a GUID, or another parameter cannot be read.')

export const idParameter = pathParameter(
  'id',
  'The document: a GUID, in any letter case.',
  Type.String({ format: 'uuid' }),
)

const keyParameters: readonly ParameterDescription[] = [idParameter, companyParameter]

const listParameters: readonly ParameterDescription[] = [
  companyParameter,
  queryParameter('doctype', 'Documents of this type alone.', Type.String({ examples: ['INVOICE'] })),
  queryParameter('title', 'How the title begins, in any letter case.', Type.String({ maxLength: 255 })),
  queryParameter(
    'indexes',
    'Index values, separated by `;`: the first must be that of the first index, and so on, in any letter case. An empty one must be empty.',
    Type.String({ examples: ['2010;70023914'] }),
  ),
  queryParameter(
    'search',
    'Words that must stand in the title, the description, the index values, the file names or the text of the newest file (PDF, Office, text); `invoi*` finds all that begin so.',
    Type.String({ maxLength: 255 }),
  ),
  queryParameter('id', 'This document alone.', Type.String({ format: 'uuid' })),
  queryParameter('start', 'How many documents to skip, newest first.', Type.Integer({ default: 0 })),
  queryParameter('limit', 'At most how many documents.', Type.Integer({ minimum: 0, maximum: 50_000, default: 10 })),
  queryParameter('withFileContent', 'Whether each item has its content as base64.', Type.Boolean({ default: false })),
]

const texts = recordTexts({
  name: 'documents',
  noun: 'document',
  schema: Document.schema,
  key: keyParameters,
  summaries: {
    create: 'Take a document in',
    read: 'Read one document with its content',
    history: 'a document',
    update: 'Change what describes a document',
    delete: 'Delete a document: it leaves the lists and stays readable by its id, with status T',
  },
  answers: {
    read: {
      200: {
        description: 'The document; with `asOf` in the form of the list.',
        schema: Type.Union([Document.schema, ListedDocument]),
        headers: { ...etagHeader, ...pastHeader },
      },
      400: notAGuid,
    },
    history: { 400: notAGuid },
    update: {
      200: { description: 'No body.', headers: etagHeader },
      400: fieldRefusal('An operation cannot be read or applied, or an index value is wrong; nothing was changed.'),
      404: refusalOfIdToo('There is no such document, or the id is not a GUID.'),
      422: fieldRefusal('A field is missing or has a wrong type, or the document is deleted; nothing was changed.'),
    },
    delete: { 400: notAGuid },
  },
})

export function documentRoutes(router: RouteTable, service: DocumentService & PastService): void {
  router.post(COLLECTION, {
    ...texts.create,
    description:
      'As JSON with the file in base64, or as multipart/form-data: the fields by their names, `indexes` as JSON text, and one file, or the field `fileContent` with base64 in its place.',
    upload: { ...UPLOAD_FORMAT, form: DocumentForm },
    answers: {
      201: {
        description: 'The document as it was taken in.',
        schema: Document.schema,
        headers: { ...etagHeader, Location: 'Its address.' },
      },
      400: fieldRefusalOfIdToo('The body cannot be read, or a rule is not met; all findings together.'),
      413: refusal('The content is larger than 50 MB, or the rest of the record than 1 MB.'),
    },
    handle: (apiRequest) =>
      idempotent(service, apiRequest, {
        write: (request) => createDocument(service, request),
        toStored: createdResponse,
        reply: ({ written, content }) => replyOfStored(apiRequest, createdResponse(written), content),
        visibility: { access: (company) => documentAccess(apiRequest.caller, company, 'create') },
        replay: (stored, access) => replayContent(service, apiRequest, stored as StoredContentResponse, access),
      }),
  })

  router.get(COLLECTION, {
    permit: 'documents:read',
    summary: 'List documents, newest first',
    description: 'Deleted documents are not listed. Whatever the limit, the answer is made piece by piece.',
    parameters: listParameters,
    answers: {
      200: {
        description: 'A page of the documents that all parameters let through, and how many there are in all.',
        schema: envelopeOf(ListedDocument, 'DocumentPage'),
        headers: {
          'X-ERP-Change-Number':
            'The number of the last change when the page was found: `since` of `GET /v1/changes` goes on there, and may tell again what was changed while the page was read.',
        },
      },
      400: refusalOfIdToo('A parameter is not legal.'),
    },
    handle: async (request) => {
      const { changeNumber, ...reply } = await listDocuments(service, request)
      return { status: 200, ...reply, headers: changeNumbered(changeNumber) }
    },
  })

  router.get(SINGLE, {
    ...texts.read,
    description: 'With `asOf` without its content, and with the members of the list.',
    handle: async (request) => {
      const asOf = asOfIn(request.query)
      if (asOf !== undefined) return pastReply(service, documentRecord, request, [idOf(request)], asOf)
      const found = await getRecord(service, documentRecord, { ...request, key: [idOf(request)] })
      if (isNoneMatch(request.ifNoneMatch, found.change_no)) {
        return { status: 304, headers: { etag: etagOf(found.change_no) } }
      }
      const company = service.companies.require(request.companyId)
      const visible = redactedParts(documentAccess(request.caller, company, 'read'), found)
      const { headers, ...reply } = await streamRecord(service, request, company.id, partsOf(visible))
      return { status: 200, ...reply, headers: { ...headers, etag: etagOf(found.change_no) } }
    },
  })

  router.get(`${SINGLE}/history`, {
    ...texts.history,
    handle: (request) => historyReply(service, documentRecord, request, [idOf(request)]),
  })

  router.patch(SINGLE, {
    ...texts.update,
    reportsUnknownCompany: true,
    description: 'Paths: /title, /description, /indexes/{index}/indexValue, /indexes (the whole set).',
    handle: (request) => {
      const documentId = requireDocumentId(request.params.id ?? '', 404)
      return patchHandler(service, documentRecord, request, [documentId], ({ change_no }) => ({
        status: 200,
        headers: { etag: etagOf(change_no) },
      }))
    },
  })

  router.delete(SINGLE, {
    ...texts.delete,
    handle: (request) => removeHandler(service, documentRecord, request, [idOf(request)]),
  })
}

export function idOf({ params }: ApiRequest): string {
  return requireDocumentId(params.id ?? '')
}

function createdResponse(created: FoundDocument): StoredContentResponse {
  const headers = { etag: etagOf(created.change_no), location: `${COLLECTION}/${created.document_id}` }
  return { status: 201, headers, row: keyFilterOf(created.document_id), more: partsOf(created) }
}

/** Adds `notificationMessages`, which the specification requires in a document; it is empty in accepted documents. */
function partsOf({ before, after, file_hash: hash, doc_size: size }: FoundDocument): RecordParts {
  return { before, after: joinedObjects(after, '{"notificationMessages":{}}'), file: { hash, size } }
}
