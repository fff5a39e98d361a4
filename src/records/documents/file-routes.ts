// What is answered of a file beside its record: its thumbnail, and its bytes as they are.
import { Type } from 'typebox'
import { withoutZone } from '../../base/dates.ts'
import { Problem } from '../../errors/problem.ts'
import type { Call, Edge, ParameterText, Route } from '../../http/edge.ts'
import { commonAnswers, companyParameter, notAGuid, refusal, refusalOfIdToo } from '../../http/parameters.ts'
import type { Reply } from '../../http/send.ts'
import { Thumbnail } from './document.ts'
import type { DocumentService } from './document-service.ts'
import { documentSight, shownFile } from './document-sight.ts'
import { type RawFile, replyRaw } from './raw-content.ts'
import { readDocument } from './read-document.ts'
import { readRevision } from './read-revision.ts'
import { readThumbnail, thumbnailSizeOf } from './read-thumbnail.ts'
import { revisionNoOf, revisionParameter, SINGLE_REVISION } from './revision-routes.ts'
import { idOf, idParameter, SINGLE } from './routes.ts'

/** What both kinds of record say of their file. */
interface FileOfRecord extends RawFile {
  readonly document_id: string
  readonly revision_no: number
  readonly updated_at: string
  readonly updated_by: string
}

type Find = (call: Call) => Promise<FileOfRecord>

/** The same for documents, whose file is that of the newest revision, and for revisions. */
export function fileRoutes(edge: Edge, service: DocumentService): void {
  const ofDocument: Find = (call) => readDocument(service, call.caller, call.companyId, idOf(call))
  const ofRevision: Find = (call) => readRevision(service, call.caller, call.companyId, idOf(call), revisionNoOf(call))
  declare(edge, service, SINGLE, 'document', [idParameter, companyParameter], ofDocument)
  declare(edge, service, SINGLE_REVISION, 'revision', [idParameter, revisionParameter, companyParameter], ofRevision)
}

function declare(
  edge: Edge,
  service: DocumentService,
  path: string,
  what: string,
  parameters: readonly ParameterText[],
  find: Find,
): void {
  edge.get(`${path}/thumbnail`, {
    permit: 'documents:read',
    summary: `Read the thumbnail of a ${what}`,
    description:
      'A PNG inside the size that is asked for, in base64: of a picture, a smaller one; of other files, an icon of their kind.',
    parameters: [...parameters, pixels('width'), pixels('height')],
    answers: {
      ...commonAnswers,
      200: { description: 'The thumbnail.', schema: Thumbnail },
      400: refusalOfIdToo('The size is outside 1 to 2048, or the id is not a GUID.'),
      404: { description: `There is no such ${what}. No body.` },
    },
    handle: (call) => answerThumbnail(service, call, find),
  })

  const content: Omit<Route, 'handle'> = {
    permit: 'documents:read',
    summary: `Read the content of a ${what} as it is`,
    parameters: [...parameters, rangeParameter],
    answers: {
      ...commonAnswers,
      200: { description: 'The bytes, for download.', headers: contentHeaders, ...bytes },
      206: { description: 'The part that was asked for.', headers: partHeaders, ...bytes },
      304: { description: 'The content is as the caller knows it.' },
      400: notAGuid,
      404: refusal(`There is no such ${what}.`),
      416: {
        description: 'There is no such part. No body.',
        headers: { 'Content-Range': 'How many bytes there are.' },
      },
    },
  }
  const answer = async (call: Call, isHead: boolean): Promise<Reply> => {
    const company = service.companies.require(call.companyId)
    const file = shownFile(documentSight(call.caller, company, 'read'), await find(call))
    return replyRaw(service, call, company.id, file, isHead)
  }
  edge.get(`${path}/content`, { ...content, handle: (call) => answer(call, false) })
  const { 206: _part, 416: _noPart, ...wholeAnswers } = content.answers
  edge.head(`${path}/content`, { ...content, answers: wholeAnswers, handle: (call) => answer(call, true) })
}

const contentHeaders = {
  ETag: 'The hash of the content.',
  'Accept-Ranges': 'bytes',
  'Content-Disposition': 'The name of the file, to be saved under.',
}
const partHeaders = { ...contentHeaders, 'Content-Range': 'Which part it is, and of how many bytes.' }
/** Of the file's own type. */
const bytes = {
  type: '*/*',
  schema: Type.String({ format: 'binary', contentMediaType: 'application/octet-stream' }),
}

const rangeParameter: ParameterText = {
  name: 'Range',
  in: 'header',
  description: 'One part of the bytes, such as `bytes=0-1023`.',
  schema: Type.String({ examples: ['bytes=0-1023'] }),
}

function pixels(name: string): ParameterText {
  return {
    name,
    in: 'query',
    description: `The greatest ${name}, in pixels.`,
    schema: Type.Integer({ minimum: 1, maximum: 2_048, default: 96 }),
  }
}

async function answerThumbnail(service: DocumentService, call: Call, find: Find): Promise<Reply> {
  const size = thumbnailSizeOf(call)
  const found = await foundOrNothing(find(call))
  if (!found) return { status: 404 }
  const company = service.companies.require(call.companyId)
  const { png, width, height } = await readThumbnail(service, call.caller.flow, company.id, found, size)
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
  return { status: 200, body: documentSight(call.caller, company, 'read').shown(body), isIncompressible: true }
}

/** A record that is not there is answered without a body here (specification, documents 6). */
async function foundOrNothing(finding: Promise<FileOfRecord>): Promise<FileOfRecord | undefined> {
  try {
    return await finding
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  }
}
