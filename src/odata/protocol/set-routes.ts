// The replies to questions about entity sets.
import { changeNumbered } from '../../base/etag.ts'
import { noResource } from '../../errors/catalogue.ts'
import type { Reply } from '../../http/reply/send.ts'
import type { ObjectService } from '../../objects/query-document.ts'
import { readEntity } from '../entity/read-entity.ts'
import { countRecords, readPage } from '../pages/read-page.ts'
import type { EntitySetRequest } from '../pages/request.ts'
import { jsonType } from './answer-format.ts'
import { VERSION } from './version.ts'

export async function pageReply(service: ObjectService, asked: EntitySetRequest): Promise<Reply> {
  const { body, changeNumber, appliedSize, level } = await readPage(service, asked)
  const applied: Record<string, string> =
    appliedSize === undefined ? {} : { 'preference-applied': `odata.maxpagesize=${appliedSize}` }
  const headers = { 'content-type': jsonType(level), ...VERSION, ...applied, ...changeNumbered(changeNumber) }
  return { status: 200, body, headers }
}

export async function countReply(service: ObjectService, asked: EntitySetRequest): Promise<Reply> {
  const body = String(await countRecords(service, asked))
  return { status: 200, body, headers: { 'content-type': 'text/plain;charset=utf-8', ...VERSION } }
}

/** Throws 404 if there is no such entity that the caller may see. */
export async function entityReply(service: ObjectService, asked: EntitySetRequest, path: string): Promise<Reply> {
  const found = await readEntity(service, asked)
  if (!found) throw noResource(path)
  const { body, changeNumber, level } = found
  return {
    status: 200,
    body,
    headers: { 'content-type': jsonType(level), ...VERSION, ...changeNumbered(changeNumber) },
  }
}
