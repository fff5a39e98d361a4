// The records that the trials write: addresses and bodies that the rules of the company accept.
import type { Asked } from '../../support/keep-alive-client.ts'

export const VALUES = '/v1/attribute-values'
export const RELATIONS = '/v1/attribute-relations'
export const CUSTOMERS = '/v1/customers'
export const DOCUMENTS = '/v1/documents'
export const REVISIONS = '/v1/document-revisions'

export type Body = Readonly<Record<string, unknown>>

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

export const post = (path: string, body: Body): Asked => ({ method: 'POST', path, body })
export const get = (path: string): Asked => ({ method: 'GET', path })
export const remove = (path: string): Asked => ({ method: 'DELETE', path })

/** A patch of one operation. */
export function patch(path: string, op: 'add' | 'replace', at: string, value: unknown, ifMatch?: string): Asked {
  return {
    method: 'PATCH',
    path,
    body: [{ op, path: at, value }],
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
  }
}

export const valueAt = (value: string): string => `${VALUES}/C1/${value}/0`
export const valueBody = (value: string, changes: Body = {}): Body => ({
  attributeId: 'C1',
  attributeValue: value,
  ...changes,
})

export const relationAt = (value: string, related: string): string => `${RELATIONS}/C1/${value}/C2/${related}`
export const relationBody = (value: string, related: string, percentage = 0): Body => ({
  attributeId: 'C1',
  attributeValue: value,
  relatedAttributeId: 'C2',
  relationValue: related,
  percentage,
})

const GENERAL = { contactPointType: '1', address: { place: 'Oslo' } }

export const customerAt = (customerId: string): string => `${CUSTOMERS}/${customerId}`
export const customerBody = (customerId: string, changes: Body = {}): Body => ({
  customerId,
  customerName: 'A customer',
  customerGroupId: '10',
  countryCode: 'NO',
  contactPoints: [GENERAL],
  ...changes,
})

export const documentAt = (id: string): string => `${DOCUMENTS}/${id}`
/** The type of file is one that nobody looks into for words. */
export const documentBody = (title: string): Body => ({
  docType: 'NOTE',
  title,
  fileName: 'note.bin',
  fileContent: base64(title),
})
