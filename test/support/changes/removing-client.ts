// A client that adds records and takes them away again: relations are deleted, values, customers and documents closed,
// documents get revisions. What is not answered may have been done or not: it is not repeated.
import { DOCUMENTS, REVISIONS } from '../documents.ts'
import { call } from '../process.ts'

export class RemovingClient {
  readonly refused: string[] = []
  readonly #companyId: string
  readonly #name: string
  #count = 0

  constructor(companyId: string, name: string) {
    this.#companyId = companyId
    this.#name = name
  }

  async write(address: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      this.#count++
      await this.#round(address, `${this.#name}N${this.#count}`).catch(() => {})
    }
  }

  async #round(address: string, name: string): Promise<void> {
    const relation = `/v1/attribute-relations/C3/H7/C1/${name}`
    await this.#send(address, 'POST', '/v1/attribute-values', {
      ...{ attributeId: 'C1', attributeValue: name, description: name },
      relatedValues: [{ relationId: 'REL1', relatedValue: '100' }],
    })
    await this.#send(address, 'POST', '/v1/attribute-relations', {
      ...{ attributeId: 'C3', attributeValue: 'H7', relatedAttributeId: 'C1', relationValue: name },
    })
    await this.#send(address, 'POST', '/v1/customers', {
      ...{ customerId: name, customerName: name, customerGroupId: '10', countryCode: 'NO' },
      contactPoints: [{ contactPointType: '1', address: { countryCode: 'NO', place: 'Oslo' } }],
      relatedValues: [{ relationId: 'REL2', relatedValue: '200' }],
    })
    const content = Buffer.from(name).toString('base64')
    const document = await this.#send(address, 'POST', DOCUMENTS, {
      ...{ docType: 'NOTE', title: name, fileName: 'note.txt', fileContent: content },
    })
    await this.#send(address, 'DELETE', relation)
    await this.#send(address, 'DELETE', `/v1/attribute-relations/C1/${name}/C2/100`)
    await this.#send(address, 'DELETE', `/v1/customers/${name}`)
    const { id } = JSON.parse(document) as { id?: string }
    if (id === undefined) return
    await this.#send(address, 'POST', `${REVISIONS}/${id}`, {
      ...{ comment: 'again', fileName: 'note.txt', fileContent: content },
    })
    if (this.#count % 2 === 0) await this.#send(address, 'DELETE', `${DOCUMENTS}/${id}`)
    if (this.#count % 3 === 0) await this.#send(address, 'DELETE', `/v1/attribute-values/C1/${name}/0`)
  }

  async #send(address: string, method: 'POST' | 'DELETE', path: string, body?: object): Promise<string> {
    const url = `${address}${path}?companyId=${this.#companyId}`
    const sent = body && { companyId: this.#companyId, ...body }
    const { status, text } = await call(url, { method, body: sent })
    // The rest of the round would name records that were not written.
    if (status === 503) throw new Error(text)
    if (status >= 400) this.refused.push(`${method} ${path}: ${status} ${text}`)
    return text === '' ? '{}' : text
  }
}
