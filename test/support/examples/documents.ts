import {
  type ExampleRequest,
  type ExampleRequests,
  FIRST_ETAG,
  FORM,
  historyOf,
  KEYED,
  LARGE,
} from './example-request.ts'

const DOCUMENTS = '/v1/documents'
const DOCUMENT = `${DOCUMENTS}/{id}`
const REVISIONS = '/v1/document-revisions'
const OF_DOCUMENT = `${REVISIONS}/{id}`
const REVISION = `${OF_DOCUMENT}/{revisionNo}`

/** The id of the n-th created document. */
export function exampleId(count: number): string {
  return `5f2c0e9a-7d41-4b6e-9c3d-${String(count).padStart(12, '0')}`
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

const minutes = {
  docType: 'NOTE',
  title: 'Meeting with the harbour office',
  description: 'Quay 4, before the works begin',
  fileName: 'meeting.txt',
  fileContent: base64('The quay is free from 1 March on.'),
}
const invoice = {
  docType: 'INVOICE',
  title: 'Invoice 70023914',
  fileName: 'invoice.txt',
  fileContent: base64('To be paid: NOK 12,500.00'),
  indexes: [
    { sequenceNo: 1, indexValue: '2010' },
    { sequenceNo: 2, indexValue: '70023914' },
  ],
}
const corrected = { comment: 'The date was wrong', fileName: 'meeting.txt', fileContent: base64('From 8 March on.') }

const first = exampleId(1)
/** The document that the examples delete. */
const second = exampleId(2)
const unknown = exampleId(999)
const read = `${DOCUMENTS}/${first}`
const rename = [{ op: 'replace', path: '/title', value: 'Meeting with the harbour office, 12 January' }]

/** Requests to every address of a document that are rejected. */
const refused = (url: string, missing: string): ExampleRequest[] => [
  { name: 'No token', url, as: 'nobody' },
  { name: 'May only read master data', url, as: 'demo-reader' },
  { name: 'No such document', url: missing },
]

const notTaken = (url: string, body: object): ExampleRequest[] => [
  { name: 'Nothing given', url, body: {} },
  { name: 'No base64', url, body: { ...body, fileContent: '@@@@' } },
  { name: 'No token', url, as: 'nobody', body },
  { name: 'May only read master data', url, as: 'demo-reader', body },
  { name: 'A body of 1.1 MB beside the content', url, body: LARGE },
  { name: 'A form of another kind', url, headers: FORM, body: 'title=x' },
]

/** The examples that the file of a document and that of a revision share. */
function fileExamples(operation: string, url: string, missing: string): ExampleRequests {
  const [thumbnail, content] = [`${url}/thumbnail`, `${url}/content`]
  const [noThumbnail, noContent] = [`${missing}/thumbnail`, `${missing}/content`]
  const part = { range: 'bytes=4-7' }
  const known = { 'if-none-match': '*' }
  const beyond = { range: 'bytes=100-' }
  const contentExamples: ExampleRequest[] = [
    { name: 'The file', url: content },
    { name: 'Known to the caller', url: content, headers: known },
    { name: 'Another one than is wanted', url: content, headers: { 'if-match': '"another"' } },
    { name: 'No GUID', url: content.replace(first, 'first') },
    ...refused(content, noContent),
  ]
  return {
    [`GET ${operation}/thumbnail`]: [
      { name: 'The icon of a text', url: `${thumbnail}?width=16&height=16` },
      { name: 'Too large', url: `${thumbnail}?width=2049` },
      ...refused(thumbnail, noThumbnail),
    ],
    [`GET ${operation}/content`]: [
      ...contentExamples,
      { name: 'A part', url: content, headers: part },
      { name: 'No such part', url: content, headers: beyond },
    ],
    [`HEAD ${operation}/content`]: contentExamples,
  }
}

export const documentExamples: ExampleRequests = {
  'GET /v1/document-types': [
    { name: 'All of the company' },
    { name: 'May only read master data', as: 'demo-reader' },
    { name: 'No token', as: 'nobody' },
    { name: 'Two companies', url: '/v1/document-types?companyId=EN&companyId=SV' },
  ],
  [`POST ${DOCUMENTS}`]: [
    { name: 'A note', body: minutes },
    { name: 'An invoice, filed by cost centre and number', body: invoice },
    { name: 'Validated only', url: `${DOCUMENTS}?validateOnly=true`, body: minutes },
    {
      name: 'Everything wrong together',
      body: {
        ...invoice,
        title: '',
        fileName: 'a/b.txt',
        expiryDate: '2025-12-31',
        indexes: [{ sequenceNo: 1, indexValue: 'nowhere' }],
      },
    },
    { name: 'A name that promises another content', body: { ...minutes, fileName: 'meeting.pdf' } },
    { name: 'Another request under the same key', headers: KEYED, body: minutes },
    ...notTaken(DOCUMENTS, minutes),
  ],
  [`GET ${DOCUMENT}`]: [
    { name: 'A document with its content', url: read },
    { name: 'Known to the caller', url: read, headers: { 'if-none-match': '*' } },
    { name: 'No GUID', url: `${DOCUMENTS}/first` },
    ...refused(read, `${DOCUMENTS}/${unknown}`),
  ],
  [`PATCH ${DOCUMENT}`]: [
    { name: 'Another title', url: read, body: rename },
    {
      name: 'A field that cannot be changed',
      url: read,
      body: [{ op: 'replace', path: '/docType', value: 'INVOICE' }],
    },
    {
      name: 'An index value that the attribute does not have',
      url: `${DOCUMENTS}/${second}`,
      body: [{ op: 'replace', path: '/indexes/0/indexValue', value: 'nowhere' }],
    },
    { name: 'No token', url: read, as: 'nobody', body: rename },
    { name: 'May only read master data', url: read, as: 'demo-reader', body: rename },
    { name: 'No such document', url: `${DOCUMENTS}/${unknown}`, body: rename },
    { name: 'No GUID', url: `${DOCUMENTS}/first`, body: rename },
    { name: 'Changed since', url: read, headers: { 'if-match': FIRST_ETAG }, body: rename },
    { name: 'A body of 1.1 MB', url: read, body: LARGE },
    { name: 'A form', url: read, headers: FORM, body: 'title=x' },
    { name: 'No title', url: read, body: [{ op: 'replace', path: '/title', value: '' }] },
    { name: 'A company that does not exist', url: `${read}?companyId=XX`, body: rename },
  ],
  ...historyOf(DOCUMENT, read, `${DOCUMENTS}/${unknown}`),
  [`DELETE ${DOCUMENT}`]: [
    { name: 'Changed since', url: `${DOCUMENTS}/${second}`, headers: { 'if-match': FIRST_ETAG } },
    { name: 'Another request under the same key', url: `${DOCUMENTS}/${second}`, headers: KEYED },
    { name: 'A document', url: `${DOCUMENTS}/${second}` },
    { name: 'No GUID', url: `${DOCUMENTS}/first` },
    ...refused(`${DOCUMENTS}/${second}`, `${DOCUMENTS}/${unknown}`),
  ],
  [`POST ${REVISIONS}`]: [
    { name: 'The next revision', body: { id: first, ...corrected } },
    { name: 'Validated only', url: `${REVISIONS}?validateOnly=true`, body: { id: first, ...corrected } },
    { name: 'A name without an ending', body: { id: first, ...corrected, fileName: 'meeting' } },
    { name: 'No such document', body: { id: unknown, ...corrected } },
    { name: 'Changed since', headers: { 'if-match': FIRST_ETAG }, body: { id: first, ...corrected } },
    { name: 'A deleted document', body: { id: second, ...corrected } },
    ...notTaken(REVISIONS, { id: first, ...corrected }),
  ],
  [`POST ${OF_DOCUMENT}`]: [
    { name: 'One more revision', url: `${REVISIONS}/${first}`, body: { ...corrected, comment: 'And the name' } },
    { name: 'Validated only', url: `${REVISIONS}/${first}?validateOnly=true`, body: corrected },
    { name: 'No such document', url: `${REVISIONS}/${unknown}`, body: corrected },
    { name: 'Changed since', url: `${REVISIONS}/${first}`, headers: { 'if-match': FIRST_ETAG }, body: corrected },
    { name: 'A deleted document', url: `${REVISIONS}/${second}`, body: corrected },
    ...notTaken(`${REVISIONS}/${first}`, corrected),
  ],
  [`GET ${OF_DOCUMENT}`]: [
    { name: 'Two of three', url: `${REVISIONS}/${first}?start=1&limit=2` },
    { name: 'How many there are', url: `${REVISIONS}/${first}?limit=0` },
    { name: 'No such document', url: `${REVISIONS}/${unknown}` },
    { name: 'A negative limit', url: `${REVISIONS}/${first}?limit=-1` },
    { name: 'No token', url: `${REVISIONS}/${first}`, as: 'nobody' },
    { name: 'May only read master data', url: `${REVISIONS}/${first}`, as: 'demo-reader' },
  ],
  [`GET ${REVISION}`]: [
    { name: 'The first revision', url: `${REVISIONS}/${first}/1` },
    { name: 'Known to the caller', url: `${REVISIONS}/${first}/1`, headers: { 'if-none-match': '*' } },
    { name: 'A number of more than 32 bits', url: `${REVISIONS}/${first}/2147483648` },
    ...refused(`${REVISIONS}/${first}/1`, `${REVISIONS}/${first}/9`),
  ],
  ...fileExamples(DOCUMENT, read, `${DOCUMENTS}/${unknown}`),
  ...fileExamples(REVISION, `${REVISIONS}/${first}/1`, `${REVISIONS}/${first}/9`),
  [`GET ${DOCUMENTS}`]: [
    { name: 'The newest two, and how many there are', url: `${DOCUMENTS}?limit=2` },
    { name: 'By the beginning of the title, with contents', url: `${DOCUMENTS}?title=meeting&withFileContent=true` },
    { name: 'By words in the text', url: `${DOCUMENTS}?search=harbour+march` },
    { name: 'By index values, in their places', url: `${DOCUMENTS}?doctype=INVOICE&indexes=2010;7002` },
    { name: 'A limit that is too high', url: `${DOCUMENTS}?limit=50001` },
    { name: 'No token', url: DOCUMENTS, as: 'nobody' },
    { name: 'May only read master data', url: DOCUMENTS, as: 'demo-reader' },
  ],
}
