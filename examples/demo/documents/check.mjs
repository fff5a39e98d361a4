// Checks the demo's documents: files, sizes, indexes against company.yaml and suppliers.ndjson, amounts of the invoices:
// `node examples/demo/documents/check.mjs`.
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { luhn } from '../source/numbers.mjs'
import { dueDate, lineAmount, paymentReference, totalsOf } from './build/amounts.mjs'
import { archiveOf } from './build/archive.mjs'
import { incoming } from './build/invoices-in.mjs'
import { correctedOf, outgoing } from './build/invoices-out.mjs'
import { photographs } from './build/photographs.mjs'
import { textsOf } from './build/raster.mjs'
import { day, money } from './build/words.mjs'

const MAX_FILE_BYTES = 150_000
const MAX_TOTAL_BYTES = 3_000_000
/** What stands beside the documents and is none. */
const OTHERS = ['build', 'build.mjs', 'check.mjs', 'document-types.yaml', 'LICENCES.md']
const SIGNATURES = {
  '.pdf': '25504446',
  '.jpg': 'ffd8ff',
  '.png': '89504e47',
  '.tif': '49492a00',
  '.docx': '504b0304',
  '.xlsx': '504b0304',
  '.txt': '',
}

const findings = []
const require = (condition, finding) => condition || findings.push(finding)
const read = (file) => readFileSync(new URL(file, import.meta.url))
const there = readdirSync(new URL('.', import.meta.url))

const setup = parse(read('../company.yaml').toString())
const proposed = there.includes('document-types.yaml') ? parse(read('document-types.yaml').toString()) : {}
const linesOf = (file) =>
  read(file)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const documents = linesOf('../documents.ndjson')
const suppliers = new Set(linesOf('../suppliers.ndjson').map((one) => `${one.companyId} ${one.supplierId}`))
const revisions = documents.flatMap((document) => [document, ...document.revisions])

checkFiles()
for (const document of documents) checkDocument(document)
checkUpToDate()
for (const invoice of [...outgoing, ...incoming]) await checkInvoice(invoice)
checkCredits()
report()

function checkFiles() {
  const named = revisions.map((revision) => revision.file)
  require(new Set(named).size === named.length, 'a file is named twice')
  for (const file of there) require(named.includes(file) || OTHERS.includes(file), `${file}: belongs to no document`)
  for (const { file, fileName } of revisions) {
    if (!there.includes(file)) findings.push(`${file}: there is no such file`)
    else checkFile(file, fileName)
  }
  const total = revisions.reduce((sum, { file }) => sum + (there.includes(file) ? read(file).length : 0), 0)
  require(total <= MAX_TOTAL_BYTES, `all files together have ${total} bytes`)
}

function checkFile(file, fileName) {
  const bytes = read(file)
  require(bytes.length > 0 && bytes.length <= MAX_FILE_BYTES, `${file}: ${bytes.length} bytes`)
  require(extname(file) === extname(fileName), `${file}: another extension than ${fileName}`)
  require(bytes.toString('hex', 0, 4).startsWith(SIGNATURES[extname(file)]), `${file}: signature`)
  require(!/[\\/:*?"<>|]/.test(fileName) && fileName.length <= 100, `${file}: name ${fileName}`)
}

function checkDocument({ companyId, docType, title, description, indexes, expiryDate, revisions: later }) {
  const company = setup.companies.find((one) => one.id === companyId)
  const type = [...company.documentTypes, ...(proposed[companyId] ?? [])].find((one) => one.id === docType)
  if (!type) return findings.push(`${title}: ${companyId} has no document type ${docType}`)
  require(title.length > 0 && title.length <= 100 && description.length <= 255, `${title}: lengths`)
  require(!expiryDate ||
    (/T00:00:00\.000$/.test(expiryDate) && Date.parse(expiryDate) > Date.now()), `${title}: expiryDate`)
  require(later.every((revision) => revision.comment), `${title}: a revision without comment`)
  const numbers = indexes.map((index) => index.sequenceNo)
  require(new Set(numbers).size === numbers.length, `${title}: an index stands twice`)
  for (const { sequenceNo, name, required } of type.indexes)
    require(!required || numbers.includes(sequenceNo), `${title}: ${name} is missing`)
  for (const index of indexes) checkIndex(company, type, index, title)
}

function checkIndex(company, type, { sequenceNo, indexValue }, title) {
  const rule = type.indexes.find((one) => one.sequenceNo === sequenceNo)
  if (!rule) return findings.push(`${title}: ${type.id} has no index ${sequenceNo}`)
  require(indexValue.length > 0 && indexValue.length <= (rule.maxLength ?? 255), `${title}: length of ${rule.name}`)
  const { attributeId } = rule
  const isThere =
    attributeId === 'A6'
      ? suppliers.has(`${company.id} ${indexValue}`)
      : !attributeId || company.attributeValues[attributeId][indexValue]
  require(isThere, `${title}: ${rule.name} ${indexValue}`)
}

function checkUpToDate() {
  const made = archiveOf().map(({ make: _, revisions: later, ...document }) => ({
    ...document,
    revisions: later.map(({ make: _, ...revision }) => revision),
  }))
  require(isDeepStrictEqual(made, documents), 'documents.ndjson is not what build.mjs makes')
}

async function checkInvoice(invoice) {
  const { number, company, from, customer, customerNumber, lines } = invoice
  const totals = totalsOf(invoice)
  const net = lines.reduce((sum, line) => sum + lineAmount(line), 0)
  const tax = totals.taxes.reduce((sum, one) => sum + one.tax, 0)
  require(totals.net === net &&
    totals.tax === tax &&
    totals.due === net + tax - (invoice.advance ?? 0), `${number}: totals`)
  require(totals.due > 0 &&
    totals.taxes.every((one) => Math.abs(one.tax - (one.basis * one.rate) / 100) <= 0.5), `${number}: tax`)
  const reference = paymentReference(customerNumber ?? String(customer), number)
  require(luhn(reference.slice(0, -1)) === reference.at(-1), `${number}: check digit of ${reference}`)
  require(dueDate(invoice) > invoice.date && invoice.delivered <= invoice.date, `${number}: dates`)
  const filedAs = (indexes, sequenceNo) => indexes.find((index) => index.sequenceNo === sequenceNo)?.indexValue
  const filed = documents.find((one) => one.companyId === company && filedAs(one.indexes, 2) === number)
  if (!filed) return findings.push(`${number}: not in the archive`)
  require(filedAs(filed.indexes, 1) === invoice.costCentre &&
    (!from || filed.docType === 'INVOICE'), `${number}: filed otherwise`)
  await checkPrinted(filed.file, invoice, reference)
  if (invoice.corrected) await checkPrinted(filed.revisions[0].file, correctedOf(invoice), reference)
}

/** What is printed is what was computed: every line's amount, the sums, the day of payment and the reference. */
async function checkPrinted(file, invoice, reference) {
  if (!file.endsWith('.pdf') || !there.includes(file)) return
  const text = (await textsOf(read(file))).join(' ').replace(/\s/g, '')
  const { language, lines } = invoice
  const { net, tax, due } = totalsOf(invoice)
  const amounts = [...lines.map(lineAmount), net, tax, due].map((amount) => money(language, amount))
  for (const words of [...amounts, day(language, dueDate(invoice)), reference]) {
    require(text.includes(words.replace(/\s/g, '')), `${file}: ${words} is not printed`)
  }
}

function checkCredits() {
  const credits = read('LICENCES.md').toString()
  for (const { file, source, author, licence } of photographs) {
    const row = credits.split('\n').find((line) => line.includes(`\`${file}\``)) ?? ''
    require([source, author, licence].every((words) => row.includes(words)), `${file}: not credited in LICENCES.md`)
  }
}

function report() {
  const types = Map.groupBy(documents, (document) => `${document.companyId} ${document.docType}`)
  for (const [type, list] of types) console.log(`${type}: ${list.length}`)
  console.log(`${documents.length} documents, ${revisions.length} files`)
  console.log(findings.length === 0 ? 'everything is in order' : findings.join('\n'))
  process.exitCode = findings.length === 0 ? 0 : 1
}
