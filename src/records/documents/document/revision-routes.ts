// The endpoints of document revisions.

import { Type } from 'typebox'
import { etagOf, isNoneMatch } from '../../../base/etag.ts'
import { companyParameter, ifMatchParameter, ifNoneMatchParameter, refusal } from '../../../http/openapi/parameters.ts'
import { etagHeader, replicaHeader } from '../../../http/route/replies.ts'
import type { ApiRequest, RouteTable } from '../../../http/route/route.ts'
import { refuseMisspelt } from '../../../model/option-names.ts'
import { pathParameter, queryParameter } from '../../../model/option-texts.ts'
import { Revision } from '../../../model/records/document.ts'
import { idempotent } from '../../shared/idempotent.ts'
import type { RecordAccess } from '../../shared/record-access.ts'
import { envelopeOf, RevisionForm, UPLOAD_FORMAT } from '../document.ts'
import { documentAccess, keyFilterOf, redactedParts } from '../document-access.ts'
import type { DocumentService } from '../document-service.ts'
import { integerOf } from '../list-options.ts'
import { replayContent, replyOfStored, type StoredContentResponse, streamRecord } from './content-stream.ts'
import { type CreatedRevision, createRevision } from './create-revision.ts'
import { listDocumentRevisions, readRevision } from './read-revisions.ts'
import { revisionParts } from './revision-record.ts'
import { fieldRefusalOfIdToo, idOf, idParameter, refusalOfIdToo } from './routes.ts'

const COLLECTION = '/v1/document-revisions'
const OF_DOCUMENT = `${COLLECTION}/:id`
export const SINGLE_REVISION = `${OF_DOCUMENT}/:revisionNo`

export const revisionParameter = pathParameter(
  'revisionNo',
  'The number of the revision, counted from 1.',
  Type.Integer({ examples: [1] }),
)

export function revisionRoutes(router: RouteTable, service: DocumentService): void {
  for (const path of [COLLECTION, OF_DOCUMENT]) {
    router.post(path, {
      permit: 'documents:update',
      summary: 'Add the next revision of a document',
      description:
        path === COLLECTION
          ? 'The document stands in the body. As JSON with the file in base64, or as multipart/form-data.'
          : 'As JSON with the file in base64, or as multipart/form-data.',
      parameters: [...(path === COLLECTION ? [] : [idParameter]), companyParameter, ifMatchParameter],
      body: Revision.schema,
      upload: { ...UPLOAD_FORMAT, form: RevisionForm },
      answers: {
        201: {
          description: 'The revision as it was added.',
          schema: Revision.schema,
          headers: { ...etagHeader, Location: 'Its address.' },
        },
        400: fieldRefusalOfIdToo('The body cannot be read, or a rule is not met; all findings together.'),
        404: refusal('There is no such document.'),
        409: refusal('Somebody has changed the document since.'),
        413: refusal('The content is larger than 50 MB, or the rest of the record than 1 MB.'),
        422: refusal('The document is deleted.'),
      },
      handle: (apiRequest) =>
        idempotent(service, apiRequest, {
          write: (request) => createRevision(service, { ...request, documentId: apiRequest.params.id }),
          toStored: (created: CreatedRevision) => createdResponse(created, accessOf(service, apiRequest, 'update')),
          reply: ({ written, content }) =>
            replyOfStored(apiRequest, createdResponse(written, accessOf(service, apiRequest, 'update')), content),
          visibility: { access: (company) => documentAccess(apiRequest.caller, company, 'update') },
          replay: (stored, access) => replayContent(service, apiRequest, stored as StoredContentResponse, access),
        }),
    })
  }

  router.get(OF_DOCUMENT, {
    permit: 'documents:read',
    summary: 'List the revisions of a document with their contents',
    description: 'In the order of their numbers. Of a document that is not there, an empty page.',
    parameters: [
      idParameter,
      companyParameter,
      queryParameter('start', 'How many revisions to skip.', Type.Integer({ default: 0 })),
      queryParameter(
        'limit',
        'At most how many revisions; 0 answers how many there are.',
        Type.Integer({ minimum: 0, default: 10 }),
      ),
    ],
    answers: {
      200: {
        description: 'A page of the revisions.',
        schema: envelopeOf(Revision.schema, 'RevisionPage'),
        headers: replicaHeader,
      },
      400: refusalOfIdToo('A parameter is not legal, or the id is not a GUID.'),
    },
    handle: async (request) => ({ status: 200, ...(await listDocumentRevisions(service, request, idOf(request))) }),
  })

  router.get(SINGLE_REVISION, {
    permit: 'documents:read',
    summary: 'Read one revision with its content',
    parameters: [idParameter, revisionParameter, companyParameter, ifNoneMatchParameter],
    answers: {
      200: {
        description: 'The revision, with the state of its document.',
        schema: Revision.schema,
        headers: { ...etagHeader, ...replicaHeader },
      },
      304: { description: 'The revision is as the caller knows it.' },
      400: refusalOfIdToo('The number is not one of 32 bits, or the id is not a GUID.'),
      404: refusal('There is no such revision.'),
    },
    handle: async (request) => {
      refuseMisspelt(request.query)
      const found = await readRevision(service, request.caller, request.companyId, idOf(request), revisionNoOf(request))
      const tag = { etag: etagOf(found.change_no) }
      if (isNoneMatch(request.ifNoneMatch, found.change_no)) return { status: 304, headers: tag }
      const { id: companyId } = service.companies.require(request.companyId)
      const parts = redactedParts(accessOf(service, request, 'read'), revisionParts(found))
      const { headers, ...reply } = await streamRecord(service, request, companyId, parts)
      return { status: 200, ...reply, headers: { ...headers, ...tag } }
    },
  })
}

function createdResponse(created: CreatedRevision, access: RecordAccess): StoredContentResponse {
  const location = `${COLLECTION}/${created.document_id}/${created.revision_no}`
  return {
    status: 201,
    headers: { etag: etagOf(created.change_no), location },
    row: keyFilterOf(created.document_id),
    more: redactedParts(access, revisionParts(created)),
  }
}

/** Reads the revision number from the path. Throws 400, code 1010, unless it is a 32-bit integer. */
export function revisionNoOf({ params }: ApiRequest): number {
  return integerOf('revisionNo', params.revisionNo ?? '')
}

function accessOf(
  { companies }: DocumentService,
  { caller, companyId }: ApiRequest,
  operation: 'read' | 'update',
): RecordAccess {
  return documentAccess(caller, companies.require(companyId), operation)
}
