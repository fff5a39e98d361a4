// Small documents of the archive: the queries read their records, not their contents.
import { customerIdAt } from './customers.ts'
import { Random } from './random.ts'
import type { Scale } from './scale.ts'
import { projectAt } from './values.ts'

export const DOCUMENT_TYPES = ['INVOICE', 'CONTRACT', 'PHOTO', 'NOTE'] as const
const TITLES = { INVOICE: 'Invoice', CONTRACT: 'Agreement', PHOTO: 'Picture', NOTE: 'Note' } as const

export interface DocumentRecord {
  readonly docType: (typeof DOCUMENT_TYPES)[number]
  readonly title: string
  readonly fileName: string
  readonly indexes: readonly string[]
  readonly content: string
}

export function* documents({ documents: count, customers: customerCount, values }: Scale): Generator<DocumentRecord> {
  for (let index = 0; index < count; index++) {
    const random = new Random(4_000_037 * (index + 1))
    const docType = random.pickSkewed(DOCUMENT_TYPES)
    const title = `${TITLES[docType]} ${700_000 + index}`
    const subject = docType === 'PHOTO' ? projectAt(random.whole(values)) : customerIdAt(random.whole(customerCount))
    const indexes = docType === 'NOTE' ? [] : [subject]
    yield {
      docType,
      title,
      fileName: `${700_000 + index}.bin`,
      indexes,
      content: `${title} for ${subject}\n`.repeat(20),
    }
  }
}
