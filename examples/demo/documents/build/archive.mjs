// Which documents the archive starts with: how each is filed, and what makes its file and those of its revisions.
import { totalsOf } from './amounts.mjs'
import { customerOf } from './customers.mjs'
import { contractEntries } from './entries-contracts.mjs'
import { noteEntries, photoEntries, projectEntries } from './entries-projects.mjs'
import { invoicePdf } from './invoice-pdf.mjs'
import { incoming } from './invoices-in.mjs'
import { correctedOf, outgoing } from './invoices-out.mjs'
import { companyOf } from './profiles.mjs'
import { scanOf } from './scans.mjs'
import { money } from './words.mjs'

/** All documents. `make` gives the bytes of a file; `photographs` is the folder of the original pictures, if there is one. */
export function archiveOf(photographs) {
  return [
    ...outgoing.map(sales),
    ...incoming.map(purchase),
    ...contractEntries,
    ...projectEntries,
    ...photoEntries(photographs),
    ...noteEntries,
  ]
}

function sales(invoice) {
  const { name } = customerOf(invoice.company, invoice.customer)
  const file = `invoice-${invoice.number}.pdf`
  return {
    companyId: invoice.company,
    docType: 'SALESINV',
    title: `${invoice.company === 'SV' ? 'Faktura' : 'Invoice'} ${invoice.number}, ${name}`,
    description: invoice.corrected ? `${invoice.heading}. Corrected once` : `${invoice.heading}. ${due(invoice)}`,
    indexes: indexesOf(invoice.costCentre, invoice.number, name),
    file,
    fileName: `${wordFor(invoice)} ${invoice.number} ${name.replace(/[.,&']/g, '')}.pdf`,
    make: () => invoicePdf(invoice),
    revisions: invoice.corrected ? [correction(invoice)] : [],
  }
}

function correction(invoice) {
  return {
    file: `invoice-${invoice.number}-corrected.pdf`,
    fileName: `${wordFor(invoice)} ${invoice.number} rettet.pdf`,
    comment: `Discount of ${invoice.corrected.discount} % by framework agreement added. ${due(correctedOf(invoice))}`,
    make: () => invoicePdf(correctedOf(invoice)),
  }
}

function purchase(invoice) {
  const { name } = companyOf(invoice.from)
  const swedish = invoice.company === 'SV'
  const file = `supplier-${invoice.from.toLowerCase()}-${invoice.number.toLowerCase()}`
  const filed = {
    companyId: invoice.company,
    docType: 'INVOICE',
    title: `${name}, ${swedish ? 'faktura' : 'invoice'} ${invoice.number}`,
    description: `${invoice.heading}. ${due(invoice)}`,
    indexes: swedish
      ? indexesOf(invoice.costCentre, invoice.number)
      : indexesOf(invoice.costCentre, invoice.number, invoice.from),
  }
  if (!invoice.scanned)
    return {
      ...filed,
      file: `${file}.pdf`,
      fileName: `${invoice.number}.pdf`,
      make: () => invoicePdf(invoice),
      revisions: [],
    }
  const scan = { dpi: 200, angle: 0.6, grain: 200, seed: 7, format: 'fax' }
  return {
    ...filed,
    file: `${file}.tif`,
    fileName: 'SCAN_0922_0007.tif',
    make: async () => scanOf(await invoicePdf(invoice), scan),
    revisions: [],
  }
}

function due(invoice) {
  const label = invoice.company === 'SV' ? 'Att betala' : 'To be paid'
  const language = invoice.company === 'SV' ? 'sv' : 'en'
  return `${label}: ${invoice.currency ?? 'NOK'} ${money(language, totalsOf(invoice).due).replace(/\u00a0/g, ' ')}`
}

function wordFor({ language }) {
  return { en: 'Invoice', de: 'Rechnung' }[language] ?? 'Faktura'
}

/** Values in the order of a document type's indexes. */
function indexesOf(...values) {
  return values.map((indexValue, i) => ({ sequenceNo: i + 1, indexValue }))
}
