// The archive: index values, and contents that are made from the id.
import type { Base, Row } from '../kind.ts'
import { stamp } from '../kind.ts'
import { chosen, mixed, seedOf } from '../random.ts'
import { momentOf, padded, type World } from './world.ts'

export function documentsBase({ companyId, seed, sizes }: World, zone: 'Z' | ''): Base {
  const own = seedOf(seed, 'documents')
  const size = sizes.documents
  const updatedAt = (at: number) => momentOf(mixed(own + 1, at) / 2 ** 32)
  const hex = (number: number, width: number) => padded(0, width).concat(number.toString(16)).slice(-width)

  /** The first digits grow with the number, so that ids do. */
  function idOf(at: number): string {
    const [one, two] = [mixed(own + 2, at), mixed(own + 3, at)]
    const first = hex(Math.floor((at * 2 ** 32) / Math.max(size, 1)), 8)
    return `${first}-${hex(one >>> 16, 4)}-4${hex(one, 3)}-8${hex(two, 3)}-${hex(two, 6)}${hex(one, 6)}`
  }
  function row(at: number): Row {
    const number = mixed(own, at)
    const isInvoice = number % 4 !== 0
    const id = idOf(at)
    return {
      checkoutUserId: '',
      companyId,
      description: '',
      docSize: Buffer.byteLength(contentOf(id, 1 + (number % 3))),
      docType: isInvoice ? 'INVOICE' : 'NOTE',
      expiryDate: `${isInvoice ? '2036' : '2099'}-12-31T00:00:00.000${zone}`,
      fileName: `file-${at}.txt`,
      id,
      indexes: isInvoice
        ? [
            { indexValue: `CC${padded(number % 90, 7)}`, sequenceNo: 1 },
            { indexValue: `INV-${at}`, sequenceNo: 2 },
            { indexValue: '', sequenceNo: 3 },
          ]
        : [],
      lastUpdated: { updatedAt: stamp(updatedAt(at), zone), updatedBy: `USER${number % 7}` },
      mimeType: 'text/plain',
      revisionNo: 1 + (number % 3),
      status: 'N',
      title: `${chosen(['Invoice', 'Credit note', 'Reminder'], number >>> 4)} ${at}`,
    }
  }
  return { size, row, updatedAt, key: (at) => [idOf(at)] }
}

/** The file of a revision that nobody has sent. */
export function contentOf(id: string, revisionNo: number): string {
  return `Revision ${revisionNo} of ${id}\n`.repeat(1 + (Number.parseInt(id.slice(0, 4), 16) % 20))
}
