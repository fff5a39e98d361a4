// The documents of the archive: found, described and read.
import { queryOptions } from '@tanstack/react-query'
import { fetchJson, fetchService } from './client.ts'

export interface DocumentIndexType {
  readonly sequenceNo: number
  readonly name: string
  readonly required: boolean
  readonly maxLength: number
  /** Its values are the legal ones; empty where any text is. */
  readonly attributeId: string
}

export interface DocumentType {
  readonly id: string
  readonly description: string
  readonly indexes: readonly DocumentIndexType[]
}

export const indexTypeOf = (type: DocumentType | undefined, number: number): DocumentIndexType | undefined =>
  type?.indexes.find(({ sequenceNo }) => sequenceNo === number)

export interface ArchivedDocument {
  readonly id: string
  readonly docType: string
  readonly mimeType: string
  readonly status: string
  readonly expiryDate: string
  readonly revisionNo: number
  readonly fileName: string
  readonly lastUpdate: { readonly updatedAt: string; readonly updatedBy: string }
  readonly indexes: readonly { readonly sequenceNo: number; readonly indexValue: string }[]
  readonly title: string
  readonly description: string
}

export interface DocumentQuery {
  readonly search?: string | undefined
  readonly doctype?: string | undefined
  readonly start: number
}

export interface DocumentPage {
  readonly total: number
  readonly items: readonly ArchivedDocument[]
}

export const PAGE_SIZE = 24

/** The future: a document as it is, without its content. */
const AS_IT_IS = '9999-12-31'

const inCompany = (company: string) => `companyId=${encodeURIComponent(company)}`

export const documentTypesQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'document-types'],
    queryFn: () => fetchJson<DocumentType[]>(`/v1/document-types?${inCompany(company)}`),
    staleTime: 300_000,
  })

export function fetchDocuments(company: string, { search = '', doctype = '', start }: DocumentQuery) {
  const given = { ...(search === '' ? {} : { search }), ...(doctype === '' ? {} : { doctype }) }
  const query = new URLSearchParams({ companyId: company, ...given, start: String(start), limit: String(PAGE_SIZE) })
  return fetchJson<DocumentPage>(`/v1/documents?${query}`)
}

/** Without its content, and with the tag for changing it. */
export async function fetchDocument(company: string, id: string): Promise<{ record: ArchivedDocument; tag: string }> {
  const answer = await fetchService(`${documentPath(id)}?${inCompany(company)}&asOf=${AS_IT_IS}`)
  return { record: (await answer.json()) as ArchivedDocument, tag: answer.headers.get('etag') ?? '' }
}

export const documentPath = (id: string) => `/v1/documents/${encodeURIComponent(id)}`

const revisionPath = (id: string, revisionNo: number) =>
  `/v1/document-revisions/${encodeURIComponent(id)}/${revisionNo}`

/** Throws a `Problem` if there is no such revision. */
export async function fetchContent(company: string, id: string, revisionNo: number, signal?: AbortSignal) {
  const answer = await fetchService(`${revisionPath(id, revisionNo)}/content?${inCompany(company)}`, {
    ...(signal && { signal }),
  })
  return answer.blob()
}

export interface ContentHead {
  readonly mimeType: string
  /** In bytes. */
  readonly size: number
}

export async function fetchContentHead(company: string, id: string, revisionNo: number): Promise<ContentHead> {
  const path = `${revisionPath(id, revisionNo)}/content?${inCompany(company)}`
  const { headers } = await fetchService(path, { method: 'HEAD' })
  return { mimeType: headers.get('content-type') ?? '', size: Number(headers.get('content-length')) }
}

/** A picture that fits in a square. */
export async function fetchThumbnail(company: string, id: string, revisionNo: number, pixels: number): Promise<Blob> {
  const size = `width=${pixels}&height=${pixels}`
  const path = `${revisionPath(id, revisionNo)}/thumbnail?${inCompany(company)}&${size}`
  const { fileContent } = await fetchJson<{ fileContent: string }>(path)
  return new Blob([Uint8Array.from(atob(fileContent), (byte) => byte.charCodeAt(0))], { type: 'image/png' })
}
