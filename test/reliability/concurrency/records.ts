// The records that the concurrency tests write: addresses, and bodies that the rules of the company accept.
import type { SentRequest } from '../../support/keep-alive-client.ts'

export const REVISIONS = '/v1/document-revisions'

export type Body = Readonly<Record<string, unknown>>

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

export const post = (path: string, body: Body): SentRequest => ({ method: 'POST', path, body })
export const get = (path: string): SentRequest => ({ method: 'GET', path })
export const remove = (path: string): SentRequest => ({ method: 'DELETE', path })

/** A patch of one operation. */
export function patch(path: string, op: 'add' | 'replace', at: string, value: unknown, ifMatch?: string): SentRequest {
  return {
    method: 'PATCH',
    path,
    body: [{ op, path: at, value }],
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
  }
}

export const values = {
  all: '/v1/attribute-values',
  at: (value: string): string => `${values.all}/C1/${value}/0`,
  body: (value: string, changes: Body = {}): Body => ({ attributeId: 'C1', attributeValue: value, ...changes }),
}

export const relations = {
  all: '/v1/attribute-relations',
  at: (value: string, related: string): string => `${relations.all}/C1/${value}/C2/${related}`,
  body: (value: string, related: string, percentage = 0): Body => ({
    attributeId: 'C1',
    attributeValue: value,
    relatedAttributeId: 'C2',
    relationValue: related,
    percentage,
  }),
}

const GENERAL = { contactPointType: '1', address: { place: 'Oslo' } }

export const customers = {
  all: '/v1/customers',
  at: (customerId: string): string => `${customers.all}/${customerId}`,
  body: (customerId: string, changes: Body = {}): Body => ({
    customerId,
    customerName: 'A customer',
    customerGroupId: '10',
    countryCode: 'NO',
    contactPoints: [GENERAL],
    ...changes,
  }),
}

export const documents = {
  all: '/v1/documents',
  at: (id: string): string => `${documents.all}/${id}`,
  /** No text is extracted from files of this type. */
  body: (title: string): Body => ({ docType: 'NOTE', title, fileName: 'note.bin', fileContent: base64(title) }),
}

/** Records of a document that the setup declares. */
export const parts = {
  all: '/v1/parts',
  at: (partId: string): string => `${parts.all}/${partId}`,
  body: (partId: string): Body => ({ partId, name: 'A part', code: `code of ${partId}` }),
}

/** Creates a value, and changes what it has created. `group`: both or none. */
export const batch = (value: string, group?: string): SentRequest => ({
  method: 'POST',
  path: '/v1/batch',
  body: {
    requests: [
      { id: 'a', method: 'POST', url: values.all, body: values.body(value), atomicityGroup: group },
      {
        id: 'b',
        method: 'PATCH',
        url: values.at(value),
        body: [{ op: 'add', path: '/relatedValues/-', value: { relationId: 'REL1', relatedValue: 'D1' } }],
        atomicityGroup: group,
      },
    ],
  },
})
