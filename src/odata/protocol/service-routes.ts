// What describes the service to a caller: the service document and the metadata. Both are made of the setup alone.
import { hash } from 'node:crypto'
import { holdsTag } from '../../base/etag.ts'
import { VARY } from '../../http/reply/replies.ts'
import type { Reply } from '../../http/reply/send.ts'
import type { ApiRequest } from '../../http/route.ts'
import { metadataXml } from '../metadata/csdl.ts'
import { metadataJson } from '../metadata/csdl-json.ts'
import type { ODataModel } from '../model.ts'
import { readODataOptions } from '../query/options.ts'
import { isMetadataJson, jsonType, metadataLevelOf } from './answer-format.ts'
import { rootUrlOf } from './urls.ts'
import { maxVersionIn, VERSION } from './version.ts'

export function serviceDocumentReply(request: ApiRequest, { entitySets }: ODataModel): Reply {
  const level = metadataLevelOf(formatIn(request), request.accept)
  const value = [...entitySets.keys()].map((name) => ({ name, kind: 'EntitySet', url: name }))
  const [context, root] = [`${rootUrlOf(request)}/$metadata`, `${rootUrlOf(request)}/`]
  // Without a context, the addresses are relative to nothing that an answer tells.
  const absolute = value.map((one) => ({ ...one, url: root + one.url }))
  const document = level === 'none' ? { value: absolute } : { '@odata.context': context, value }
  return described(request, JSON.stringify(document), { 'content-type': jsonType(level), ...VERSION })
}

/** XML, or JSON, which is of OData 4.01. */
export function metadataReply(request: ApiRequest, { entitySets }: ODataModel): Reply {
  const maxVersion = maxVersionIn(request.header('odata-maxversion'))
  const sets = [...entitySets.values()]
  if (isMetadataJson(formatIn(request), request.accept, maxVersion)) {
    const headers = { 'content-type': 'application/json;charset=utf-8', 'odata-version': '4.01' }
    return described(request, JSON.stringify(metadataJson(sets)), headers)
  }
  return described(request, metadataXml(sets), { 'content-type': 'application/xml;charset=utf-8', ...VERSION })
}

function formatIn({ query }: ApiRequest): string | undefined {
  return readODataOptions(query).format
}

/** 304 if `If-None-Match` names the content. */
function described({ ifNoneMatch }: ApiRequest, body: string, headers: Readonly<Record<string, string>>): Reply {
  const tagged = { ...headers, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`, vary: VARY }
  return holdsTag(ifNoneMatch, tagged.etag) ? { status: 304, headers: tagged } : { status: 200, body, headers: tagged }
}
