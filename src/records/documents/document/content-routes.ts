// The endpoints of the thumbnail and the raw content of a file.

import { Type } from 'typebox'
import { withoutZone } from '../../../base/dates.ts'
import { Problem } from '../../../errors/problem.ts'
import type { ByteRange } from '../../../files/file-store.ts'
import { companyParameter, refusal } from '../../../http/openapi/parameters.ts'
import { fileReply } from '../../../http/route/file-reply.ts'
import { replicaHeader } from '../../../http/route/replies.ts'
import type { ApiRequest, Route, RouteTable } from '../../../http/route/route.ts'
import type { Reply } from '../../../http/route/send.ts'
import { refuseMisspelt } from '../../../model/option-names.ts'
import { headerParameter, type ParameterDescription, queryParameter } from '../../../model/option-texts.ts'
import { getRecord } from '../../shared/record-pipeline.ts'
import { Thumbnail } from '../document.ts'
import { documentAccess, redactedFile } from '../document-access.ts'
import { documentRecord } from '../document-record.ts'
import type { DocumentService } from '../document-service.ts'
import type { FileColumns } from '../document-store.ts'
import { openRaw } from './content-stream.ts'
import { readRevision } from './read-revisions.ts'
import { readThumbnail, thumbnailSizeOf } from './read-thumbnail.ts'
import { revisionNoOf, revisionParameter, SINGLE_REVISION } from './revision-routes.ts'
import { idOf, idParameter, notAGuid, refusalOfIdToo, SINGLE } from './routes.ts'

/** The members that documents and revisions have for their file. */
interface FileOfRecord extends FileColumns {
  readonly document_id: string
  readonly revision_no: number
  readonly updated_at: string
  readonly updated_by: string
}

type Find = (request: ApiRequest) => Promise<FileOfRecord>

/** Declares the same routes for documents, whose file is that of the newest revision, and for revisions. */
export function fileRoutes(router: RouteTable, service: DocumentService): void {
  const ofDocument: Find = (request) => getRecord(service, documentRecord, { ...request, key: [idOf(request)] })
  const ofRevision: Find = (request) =>
    readRevision(service, request.caller, request.companyId, idOf(request), revisionNoOf(request))
  declareFileRoutes(router, service, SINGLE, 'document', [idParameter, companyParameter], ofDocument)
  declareFileRoutes(
    router,
    service,
    SINGLE_REVISION,
    'revision',
    [idParameter, revisionParameter, companyParameter],
    ofRevision,
  )
}

function declareFileRoutes(
  router: RouteTable,
  service: DocumentService,
  path: string,
  kind: string,
  parameters: readonly ParameterDescription[],
  find: Find,
): void {
  router.get(`${path}/thumbnail`, {
    permit: 'documents:read',
    summary: `Read the thumbnail of a ${kind}`,
    description:
      'A PNG inside the size that is asked for, in base64: of a picture, a smaller one; of other files, an icon of their kind.',
    parameters: [...parameters, pixels('width'), pixels('height')],
    answers: {
      200: { description: 'The thumbnail.', schema: Thumbnail, headers: replicaHeader },
      400: refusalOfIdToo('The size is outside 1 to 2048, or the id is not a GUID.'),
      404: { description: `There is no such ${kind}. No body.` },
    },
    handle: (request) => replyThumbnail(service, request, find),
  })

  const content: Omit<Route, 'handle'> = {
    permit: 'documents:read',
    summary: `Read the content of a ${kind} as it is`,
    parameters: [...parameters, rangeParameter],
    answers: {
      200: { description: 'The bytes, for download.', headers: { ...contentHeaders, ...replicaHeader }, ...bytes },
      206: { description: 'The part that was asked for.', headers: { ...partHeaders, ...replicaHeader }, ...bytes },
      304: { description: 'The content is as the caller knows it.' },
      400: notAGuid,
      404: refusal(`There is no such ${kind}.`),
      412: { description: 'The content is not the one that `If-Match` names. No body.' },
      416: {
        description: 'There is no such part. No body.',
        headers: { 'Content-Range': 'How many bytes there are.' },
      },
    },
  }
  const answer = async (request: ApiRequest, isHead: boolean): Promise<Reply> => {
    refuseMisspelt(request.query)
    const company = service.companies.require(request.companyId)
    const file = redactedFile(documentAccess(request.caller, company, 'read'), await find(request))
    const { file_name: name, mime_type: mimeType, doc_size: size, file_hash: hash } = file
    const open = (range?: ByteRange) => openRaw(service, request, company.id, file, range)
    return fileReply(request, { name, mimeType, size, hash, open }, isHead)
  }
  const { 206: _part, 416: _noPart, ...wholeAnswers } = content.answers
  router.get(
    `${path}/content`,
    { ...content, handle: (request) => answer(request, false) },
    { ...content, answers: wholeAnswers, handle: (request) => answer(request, true) },
  )
}

const contentHeaders = {
  ETag: 'The hash of the content.',
  'Accept-Ranges': 'bytes',
  'Content-Disposition': 'The name of the file, to be saved under.',
}
const partHeaders = { ...contentHeaders, 'Content-Range': 'Which part it is, and of how many bytes.' }
/** The response has the type of the file. */
const bytes = {
  type: '*/*',
  schema: Type.String({ format: 'binary', contentMediaType: 'application/octet-stream' }),
}

const rangeParameter = headerParameter(
  'Range',
  'One part of the bytes, such as `bytes=0-1023`.',
  Type.String({ examples: ['bytes=0-1023'] }),
)

function pixels(name: string): ParameterDescription {
  return queryParameter(
    name,
    `The greatest ${name}, in pixels.`,
    Type.Integer({ minimum: 1, maximum: 2_048, default: 96 }),
  )
}

async function replyThumbnail(service: DocumentService, request: ApiRequest, find: Find): Promise<Reply> {
  const size = thumbnailSizeOf(request.query)
  const found = await undefinedIfNotFound(find(request))
  if (!found) return { status: 404 }
  const company = service.companies.require(request.companyId)
  const { png, width, height } = await readThumbnail(service, request.caller.flow, company.id, found, size)
  const body = JSON.stringify({
    id: found.document_id,
    revisionNo: found.revision_no,
    width,
    height,
    mimeType: 'image/png',
    fileName: `${found.file_name.replace(/(?<=[^.])\.[^.]*$/, '')}.png`,
    lastUpdate: { updatedAt: withoutZone(found.updated_at), updatedBy: found.updated_by },
    fileContent: Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64'),
  })
  return { status: 200, body: documentAccess(request.caller, company, 'read').redact(body), isIncompressible: true }
}

/** Maps 404 to undefined, because these endpoints reply to it without a body (specification, documents 6). */
async function undefinedIfNotFound(finding: Promise<FileOfRecord>): Promise<FileOfRecord | undefined> {
  try {
    return await finding
  } catch (error) {
    if (error instanceof Problem && error.code === 1040) return undefined
    throw error
  }
}
