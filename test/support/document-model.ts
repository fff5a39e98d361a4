// A reference model of documents and of their lists, as plain as possible and in memory.
import { isDeepStrictEqual } from 'node:util'
import { folded } from '../../src/model/word-parts.ts'
import { base64 } from './documents.ts'

export interface Operation {
  readonly op: string
  readonly path: string
  readonly value: unknown
}

/** A number refers to the property of the document at that position. */
export interface Filter {
  readonly title: string | number | undefined
  readonly indexes: readonly string[] | number | undefined
  readonly docType: string | undefined
  readonly id: number | undefined
  readonly start: number | undefined
  readonly limit: number | undefined
  readonly withFileContent: boolean
}

interface Index {
  readonly sequenceNo: number
  readonly indexValue: string
}

interface Modelled {
  readonly id: string
  readonly docType: string
  readonly expiryDate: string
  title: string
  description: string
  indexes: Index[]
  content: Uint8Array
  revisionNo: number
  status: string
  at: string
}

type New = Pick<Modelled, 'id' | 'docType' | 'expiryDate' | 'title' | 'description' | 'content' | 'at'> & {
  readonly indexes: readonly object[]
}

type Rule = { readonly sequenceNo: number; readonly legal?: readonly string[]; readonly required?: boolean }

/** As test/fixtures/documents.yaml declares them. */
const TYPES: Readonly<Record<string, readonly Rule[]>> = {
  INVOICE: [
    { sequenceNo: 1, legal: ['CC100', 'CC200', 'CC300'], required: true },
    { sequenceNo: 2, required: true },
    { sequenceNo: 3 },
  ],
  CONTRACT: [
    { sequenceNo: 10, required: true },
    { sequenceNo: 20, legal: ['100', '200'] },
  ],
  NOTE: [],
  MEMO: [],
}

export class Model {
  readonly documents: Modelled[] = []

  create(given: New): void {
    const indexes = wholeOf(given.docType, given.indexes as Index[])
    this.documents.push({ ...given, indexes, revisionNo: 1, status: 'N' })
  }

  idAt(place: number): string | undefined {
    return this.documents[place % this.documents.length]?.id
  }

  /** Applies the operation; returns the expected status. */
  patch(id: string, operations: readonly Operation[], at: string): number {
    const document = this.#find(id)
    if (document.status === 'T') return 422
    const draft = {
      title: document.title,
      description: document.description,
      indexes: document.indexes.map((one) => ({ ...one })),
    }
    for (const { path, value } of operations) {
      const place = /^\/indexes\/(\d)\/indexValue$/.exec(path)?.[1]
      if (path === '/title') draft.title = String(value)
      else if (path === '/description') draft.description = String(value)
      else if (path === '/indexes') draft.indexes = (value as Index[]).map((one) => ({ ...one }))
      else if (place === undefined) return 400
      else {
        const { sequenceNo } = draft.indexes[Number(place)] ?? {}
        // A later operation can only be rejected as well; both kinds here are 400.
        if (sequenceNo === undefined) return 400
        draft.indexes[Number(place)] = { sequenceNo, indexValue: String(value) }
      }
    }
    const status = statusOf(document, draft)
    if (status !== 200) return status
    const { title, description } = document
    const indexes = wholeOf(document.docType, draft.indexes)
    const isSame = isDeepStrictEqual({ ...draft, indexes }, { title, description, indexes: document.indexes })
    if (!isSame) Object.assign(document, draft, { indexes, at })
    return 200
  }

  revise(id: string, content: Uint8Array, at: string): number {
    const document = this.#find(id)
    if (document.status === 'T') return 422
    document.revisionNo++
    Object.assign(document, { content, at })
    return 201
  }

  delete(id: string, at: string): number {
    const document = this.#find(id)
    if (document.status !== 'T') Object.assign(document, { status: 'T', at })
    return 200
  }

  read(id: string): object {
    const document = this.#find(id)
    return { ...itemOf(document, true), docSize: document.content.length, notificationMessages: {} }
  }

  /** The query that expresses a filter, and the page that must be answered. */
  list({ start = 0, limit = 10, withFileContent, docType, ...some }: Filter) {
    const title = typeof some.title === 'number' ? this.#someBeginning(some.title) : some.title
    const values = typeof some.indexes === 'number' ? this.#someValues(some.indexes) : some.indexes
    const id = some.id === undefined ? undefined : this.idAt(some.id)
    // An empty parameter counts as absent.
    const indexes = values?.join(';') === '' ? undefined : values
    const parameters = { docType, title, indexes: indexes?.join(';'), id, start, limit, withFileContent }
    const query = Object.entries(parameters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
      .join('&')
    const found = this.documents
      .filter((one) => one.status !== 'T' && (docType === undefined || one.docType === docType))
      .filter((one) => id === undefined || one.id === id)
      .filter((one) => folded(one.title).startsWith(folded(title ?? '')))
      .filter((one) => (indexes ?? []).every((value, place) => isAt(one, place, value)))
      .sort((one, other) => compare(other.at, one.at) || compare(one.id, other.id))
    const from = Math.max(start, 0)
    const items = found.slice(from, from + limit).map((one) => itemOf(one, withFileContent))
    return { query, page: { start: from, limit, count: items.length, total: found.length, items } }
  }

  #find(id: string): Modelled {
    const found = this.documents.find((one) => one.id === id)
    if (!found) throw new Error(`the model has no document ${id}`)
    return found
  }

  #someBeginning(place: number): string {
    const letters = [...(this.documents[place % this.documents.length]?.title ?? '')]
    const beginning = letters.slice(0, 1 + (place % 4)).join('')
    return place % 2 === 0 ? beginning.toUpperCase() : beginning.toLowerCase()
  }

  #someValues(place: number): string[] {
    const { indexes = [] } = this.documents[place % this.documents.length] ?? {}
    const values = indexes.slice(0, 1 + (place % 4)).map(({ indexValue }) => indexValue.toLowerCase())
    // A semicolon cannot be searched for.
    return values.join('').includes(';') ? [] : values
  }
}

function itemOf(document: Modelled, withContent: boolean): object {
  const { content, at, revisionNo, ...rest } = document
  return {
    ...rest,
    revisionNo,
    companyId: 'EN',
    mimeType: 'application/octet-stream',
    ...(withContent ? { fileContent: base64(Buffer.from(content)) } : {}),
    fileName: revisionNo === 1 ? 'a.bin' : 'b.bin',
    checkoutUserId: '',
    lastUpdate: { updatedAt: at, updatedBy: 'svc-integration' },
  }
}

type Draft = Pick<Modelled, 'title' | 'indexes'>

/** The status of a patched document: 422 for missing values, 400 for indexes that do not fit the type. */
function statusOf({ docType, indexes: stored }: Modelled, { title, indexes }: Draft): 200 | 400 | 422 {
  const storedAt = (sequenceNo: number) => stored.find((one) => one.sequenceNo === sequenceNo)?.indexValue
  const isEmptied = indexes.some(({ sequenceNo, indexValue }) => indexValue === '' && storedAt(sequenceNo) !== '')
  if (title === '' || isEmptied) return 422
  const rules = TYPES[docType] ?? []
  if (indexes.some(({ sequenceNo }) => !rules.some((rule) => rule.sequenceNo === sequenceNo))) return 400
  const areLegal = rules.every(({ sequenceNo, legal, required }) => {
    const value = indexes.find((one) => one.sequenceNo === sequenceNo)?.indexValue ?? ''
    if (value === storedAt(sequenceNo)) return true
    return value === '' ? !required : (legal ?? [value]).includes(value)
  })
  return areLegal ? 200 : 400
}

/** One value for each index of the type, in their order. */
function wholeOf(docType: string, indexes: readonly Index[]): Index[] {
  return (TYPES[docType] ?? []).map(({ sequenceNo }) => {
    return { sequenceNo, indexValue: indexes.find((one) => one.sequenceNo === sequenceNo)?.indexValue ?? '' }
  })
}

function isAt({ indexes }: Modelled, place: number, value: string): boolean {
  const found = indexes[place]
  return found !== undefined && folded(found.indexValue) === folded(value)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
