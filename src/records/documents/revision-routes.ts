// The endpoints of document revisions.
import { Type } from 'typebox'
import type { Call, Edge, ParameterText } from '../../http/edge.ts'
import { etagOf } from '../../http/etag.ts'
import {
  bodyAnswers,
  commonAnswers,
  companyParameter,
  fieldRefusalOfIdToo,
  ifMatchParameter,
  refusal,
  refusalOfIdToo,
} from '../../http/parameters.ts'
import { etagHeader } from '../../http/record-reply.ts'
import { answerOnce } from '../shared/answer-once.ts'
import type { Sight } from '../shared/sight.ts'
import { replyWithContent } from './content-reply.ts'
import { type CreatedRevision, createRevision } from './create-revision.ts'
import { envelopeOf, Revision, RevisionForm } from './document.ts'
import type { DocumentService } from './document-service.ts'
import { documentSight, rowWith, shownParts } from './document-sight.ts'
import { integerOf } from './list-options.ts'
import { listDocumentRevisions } from './list-revisions.ts'
import { readRevision } from './read-revision.ts'
import { revisionParts } from './revision-record.ts'
import { idOf, idParameter } from './routes.ts'
import { replyOfKept, replySealed, type SealedContent } from './sealed-content.ts'

const COLLECTION = '/v1/document-revisions'
const OF_DOCUMENT = `${COLLECTION}/:id`
export const SINGLE_REVISION = `${OF_DOCUMENT}/:revisionNo`

export const revisionParameter: ParameterText = {
  name: 'revisionNo',
  in: 'path',
  description: 'The number of the revision, counted from 1.',
  schema: Type.Integer({ examples: [1] }),
}

export function revisionRoutes(edge: Edge, service: DocumentService): void {
  for (const path of [COLLECTION, OF_DOCUMENT]) {
    edge.post(path, {
      permit: 'documents:update',
      summary: 'Add the next revision of a document',
      description:
        path === COLLECTION
          ? 'The document stands in the body. As JSON with the file in base64, or as multipart/form-data.'
          : 'As JSON with the file in base64, or as multipart/form-data.',
      parameters: [...(path === COLLECTION ? [] : [idParameter]), companyParameter, ifMatchParameter],
      body: Revision,
      fileForm: RevisionForm,
      answers: {
        ...commonAnswers,
        ...bodyAnswers,
        201: {
          description: 'The revision as it was added.',
          schema: Revision,
          headers: { ...etagHeader, Location: 'Its address.' },
        },
        400: fieldRefusalOfIdToo('The body cannot be read, or a rule is not met; all findings together.'),
        404: refusal('There is no such document.'),
        409: refusal('Somebody has changed the document since.'),
        413: refusal('The content is larger than 50 MB, or the rest of the record than 1 MB.'),
        422: refusal('The document is deleted.'),
      },
      handle: (call) =>
        answerOnce(service, call, {
          write: (request) => createRevision(service, { ...request, documentId: call.params.id }),
          seal: (created: CreatedRevision) => sealOfCreated(created, sightOf(service, call, 'update')),
          reply: ({ written, content }) =>
            replyOfKept(call, sealOfCreated(written, sightOf(service, call, 'update')), content),
          seen: { sight: (company) => documentSight(call.caller, company, 'update') },
          replay: (sealed, sight) => replySealed(service, call, sealed as SealedContent, sight),
        }),
    })
  }

  edge.get(OF_DOCUMENT, {
    permit: 'documents:read',
    summary: 'List the revisions of a document with their contents',
    description: 'In the order of their numbers. Of a document that is not there, an empty page.',
    parameters: [
      idParameter,
      companyParameter,
      { name: 'start', in: 'query', description: 'How many revisions to skip.', schema: Type.Integer({ default: 0 }) },
      {
        name: 'limit',
        in: 'query',
        description: 'At most how many revisions; 0 answers how many there are.',
        schema: Type.Integer({ minimum: 0, default: 10 }),
      },
    ],
    answers: {
      ...commonAnswers,
      200: { description: 'A page of the revisions.', schema: envelopeOf(Revision, 'RevisionPage') },
      400: refusalOfIdToo('A parameter is not legal, or the id is not a GUID.'),
    },
    handle: (call) => listDocumentRevisions(service, call, idOf(call)),
  })

  edge.get(SINGLE_REVISION, {
    permit: 'documents:read',
    summary: 'Read one revision with its content',
    parameters: [idParameter, revisionParameter, companyParameter],
    answers: {
      ...commonAnswers,
      200: { description: 'The revision.', schema: Revision },
      400: refusalOfIdToo('The number is not one of 32 bits, or the id is not a GUID.'),
      404: refusal('There is no such revision.'),
    },
    handle: async (call) => {
      const found = await readRevision(service, call.caller, call.companyId, idOf(call), revisionNoOf(call))
      const { id: companyId } = service.companies.require(call.companyId)
      const parts = shownParts(sightOf(service, call, 'read'), revisionParts(found))
      return { status: 200, ...(await replyWithContent(service, call, companyId, parts)) }
    },
  })
}

function sealOfCreated(created: CreatedRevision, sight: Sight): SealedContent {
  const location = `${COLLECTION}/${created.document_id}/${created.revision_no}`
  return {
    status: 201,
    headers: { etag: etagOf(created.change_no), location },
    row: rowWith(created.document_id),
    more: shownParts(sight, revisionParts(created)),
  }
}

/** Throws 400, code 1010, for what is no number of 32 bits. */
export function revisionNoOf({ params }: Call): number {
  return integerOf('revisionNo', params.revisionNo ?? '')
}

function sightOf({ companies }: DocumentService, { caller, companyId }: Call, operation: 'read' | 'update'): Sight {
  return documentSight(caller, companies.require(companyId), operation)
}
