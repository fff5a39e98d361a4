// Patches that PATCH /v1/documents/{id} rejects without writing anything: specification, documents 7; decisions 0, 1
// and 4.
import { beforeAll } from 'vitest'
import { create, INDEXES, information, invoiceOf, noteOf, onEachArchive, replace, urlOf } from '../support/documents.ts'
import { idOf, numberedIds } from '../support/numbered-ids.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'

const ids = numberedIds()
const [INVOICE, CONTRACT, NOTE, DELETED, OF_SV] = [idOf(1), idOf(2), idOf(3), idOf(4), idOf(5)]
const UNKNOWN = '0b0ed4a5-6b9b-4b8e-9d3f-5f6f0c1f3a11'

const notAuthorised = { code: 2030, message: 'User is not authorised.' }
const notFound = (companyId: string, id: string) => ({
  code: 1040,
  message: `The entity of the following parameters [companyId: ${companyId}, id: ${id}] was not found.`,
})
const remove = (path: string) => ({ op: 'remove', path })

const patch = (id: string, body: unknown, rest: Partial<Scenario> = {}) =>
  ({ method: 'PATCH', url: urlOf(id), body, ...rest }) as const

const refused = (name: string, operation: unknown, status: number, code: number, message: string): Scenario => ({
  name: `rule 7: ${name}`,
  ...patch(INVOICE, [operation]),
  status,
  json: { code, message: `PatchOperation index 0: ${message}` },
})

const readOnly = [
  ...['id', 'docType', 'mimeType', 'fileName', 'fileContent', 'status', 'docSize', 'revisionNo', 'companyId'],
  ...['expiryDate', 'checkoutUserId', 'lastUpdate', 'lastUpdate/updatedAt', 'notificationMessages'],
  ...['indexes/0/sequenceNo', 'nothing', 'title/x', 'indexes/00/indexValue', 'indexes/-1/indexValue', '__proto__'],
]

const readOnlyPaths: Scenario[] = readOnly.flatMap((name) =>
  ['replace', 'Add', 'REMOVE'].map((op) => ({
    name: `rule 7: refuses ${op} of the path /${name} with 400, code 4020`,
    ...patch(INVOICE, [{ op, path: `/${name}`, value: 'x' }]),
    status: 400,
    code: 4020,
  })),
)

const wrongTypes: Scenario[] = [
  ['/title', ['x'], 'string', '["x"]', ''],
  ['/title', { a: 1 }, 'string', '{"a":1}', ''],
  ['/title', true, 'string', 'true', ''],
  ['/description', 1e300, 'string', '1e+300', ''],
  ['/indexes/0/indexValue', {}, 'string', '{}', ''],
  ['/indexes', 'CC100', 'array', 'CC100', ''],
  ['/indexes', [1], 'object', '1', '/0'],
  ['/indexes', [{ sequenceNo: 'one', indexValue: 'CC100' }], 'integer', 'one', '/0/sequenceNo'],
  ['/indexes', [{ sequenceNo: 1.5, indexValue: 'CC100' }], 'integer', '1.5', '/0/sequenceNo'],
  ['/indexes', [{ sequenceNo: 1, indexValue: [] }], 'string', '[]', '/0/indexValue'],
].map(([path, value, type, shown, inside]) => ({
  name: `rule 7: refuses ${JSON.stringify(value)} at ${path} with 422, code 4030`,
  ...patch(INVOICE, [replace(String(path), value)]),
  status: 422,
  json: {
    code: 4030,
    message: `PatchOperation index 0: The value '${shown}' of path '${path}${inside}' cannot be converted to ${type}`,
  },
}))

const mandatory: Scenario[] = [
  ['an empty title', replace('/title', ''), 'title', 'Title'],
  ['a title that is null', replace('/title', null), 'title', 'Title'],
  ['a title that is taken away', remove('/title'), 'title', 'Title'],
  ['an empty index value', replace('/indexes/0/indexValue', ''), 'indexes.0.indexValue', 'IndexValue'],
  [
    'an empty value of an optional index',
    replace('/indexes', [...INDEXES, { sequenceNo: 3, indexValue: '' }]),
    'indexes.2.indexValue',
    'IndexValue',
  ],
  [
    'an index without a number',
    replace('/indexes', [...INDEXES, { indexValue: 'x' }]),
    'indexes.2.sequenceNo',
    'SequenceNo',
  ],
].map(([name, operation, at, field]) => ({
  name: `rule 7: refuses ${name} with 422`,
  ...patch(INVOICE, [operation]),
  status: 422,
  findings: { [String(at)]: [1010, `The ${field} field is required.`] as const },
}))

const wrongIndexes: Scenario[] = (
  [
    ['a wrong value', replace('/indexes/0/indexValue', 'CC999'), 'Value CC999 is not valid for attribute COSTC'],
    [
      'a value in another letter case',
      replace('indexes/0/indexvalue', 'cc100'),
      'Value cc100 is not valid for attribute COSTC',
    ],
    [
      'a value with a blank',
      replace('/indexes/0/indexValue', 'CC100 '),
      'Value CC100  is not valid for attribute COSTC',
    ],
    [
      'a value that is too long',
      replace('/indexes/1/indexValue', 'x'.repeat(31)),
      `Value ${'x'.repeat(31)} is longer than the 30 characters of Invoice number`,
    ],
    ['a set without a required index', replace('/indexes', [INDEXES[0]]), 'You must enter a value for Invoice number'],
    ['to take a required value away', remove('/indexes/1/indexValue'), 'You must enter a value for Invoice number'],
    [
      'an index that the type does not have',
      replace('/indexes', [...INDEXES, { sequenceNo: 4, indexValue: 'x' }]),
      'Document type INVOICE has no index 4: it has 1, 2, 3',
    ],
    ['an index that is given twice', replace('/indexes', [...INDEXES, INDEXES[1]]), 'Index 2 is given twice'],
  ] as const
).map(([name, operation, message]) => ({
  name: `rule 7: refuses ${name} with 400, code 3010`,
  ...patch(INVOICE, [operation]),
  status: 400,
  findings: { indexes: [3010, message] as const },
}))

const scenarios: Scenario[] = [
  refused('names the read-only path id', replace('/id', 'x'), 400, 4020, "Provided path '/id' is invalid"),
  refused(
    'names the read-only path docType',
    replace('/docType', 'x'),
    400,
    4020,
    "Provided path '/docType' is invalid",
  ),
  refused(
    'names a read-only path as it was sent',
    replace('FileName', 'x'),
    400,
    4020,
    "Provided path 'FileName' is invalid",
  ),
  refused(
    'names the read-only path mimeType',
    replace('/mimeType', 'x'),
    400,
    4020,
    "Provided path '/mimeType' is invalid",
  ),
  ...readOnlyPaths,
  ...(['replace', 'add', 'remove'] as const).map((op) => ({
    name: `rule 7: refuses ${op} of a whole index`,
    ...patch(INVOICE, [{ op, path: '/indexes/0', value: INDEXES[0] }]),
    status: 400,
    code: 4020,
  })),
  {
    name: 'rule 7: refuses to add an index to the list',
    ...patch(INVOICE, [{ op: 'add', path: '/indexes/-', value: { sequenceNo: 3, indexValue: 'x' } }]),
    status: 400,
    code: 4020,
  },
  { name: 'rule 7: refuses to take the list away', ...patch(CONTRACT, [remove('/indexes')]), status: 400, code: 4020 },
  {
    name: 'refuses an index out of range with 400, code 4023 (decision 4)',
    ...patch(INVOICE, [replace('/indexes/3/indexValue', 'x')]),
    status: 400,
    json: { code: 4023, message: 'Provided index (3) is out of range' },
  },
  {
    name: 'refuses every index of a document that has none (decision 4)',
    ...patch(NOTE, [replace('/indexes/0/indexValue', 'x')]),
    status: 400,
    json: { code: 4023, message: 'Provided index (0) is out of range' },
  },
  {
    name: 'refuses an index that does not fit 32 bits',
    ...patch(INVOICE, [replace('/indexes/4294967296/indexValue', 'x')]),
    status: 400,
  },
  ...wrongTypes,
  ...mandatory,
  ...wrongIndexes,
  {
    name: 'rule 7: refuses a wrong value of an optional index of a type with gaps, naming the attribute',
    ...patch(CONTRACT, [replace('/indexes/1/indexValue', '300')]),
    status: 400,
    findings: { indexes: [3010, 'Value 300 is not valid for attribute DEPT'] },
  },
  {
    name: 'rule 7: refuses any index of a type that has none',
    ...patch(NOTE, [replace('/indexes', [{ sequenceNo: 1, indexValue: 'x' }])]),
    status: 400,
    findings: { indexes: [3010, 'Document type NOTE has no index 1: it has none'] },
  },
  {
    name: 'rule 7: tells one of several wrong index values, and none of the right ones is written (rule 8)',
    ...patch(INVOICE, [replace('/indexes/0/indexValue', 'CC999'), replace('/indexes/1/indexValue', '4712')]),
    status: 400,
    includes: { notificationMessages: { indexes: [{ code: 3010 }] }, indexes: [{ indexValue: 'CC999' }, {}, {}] },
  },
  {
    name: 'gives a refused document back with what was sent, and never its content (decision 1)',
    ...patch(NOTE, [replace('/title', ''), replace('/description', 'x'.repeat(4_001))]),
    status: 422,
    json: {
      id: NOTE,
      docType: 'NOTE',
      title: '',
      description: 'x'.repeat(4_001),
      indexes: [],
      notificationMessages: {
        title: [{ code: 1010, message: 'The Title field is required.' }],
        description: [
          {
            code: 1010,
            message: 'The field Description must be a string or array type with a maximum length of 4000.',
          },
        ],
      },
    },
  },
  {
    name: 'refuses a title of more than 255 characters',
    ...patch(NOTE, [replace('/title', 'x'.repeat(256))]),
    status: 400,
    findings: { title: [1010, 'The field Title must be a string or array type with a maximum length of 255.'] },
  },
  {
    name: 'tells all operations that fail together; of 400 and 422, 422 (decision 1)',
    ...patch(INVOICE, [replace('/title', 'kept out'), replace('/id', 'x'), replace('/title', [])]),
    status: 422,
    json: {
      code: 4020,
      message:
        "PatchOperation index 1: Provided path '/id' is invalid; PatchOperation index 2: The value '[]' of path '/title' cannot be converted to string",
    },
  },
  {
    name: 'applies none of several operations when the last is refused',
    ...patch(INVOICE, [replace('/title', 'kept out'), replace('/description', 'too'), replace('/status', 'C')]),
    status: 400,
    json: { code: 4020, message: "PatchOperation index 2: Provided path '/status' is invalid" },
  },
  {
    name: 'refuses an unknown operation',
    ...patch(NOTE, [{ op: 'move', path: '/title', from: '/description' }]),
    status: 400,
    code: 4020,
  },
  {
    name: 'refuses an operation without a path',
    ...patch(NOTE, [{ op: 'replace', value: 'x' }]),
    status: 400,
    code: 4020,
  },
  {
    name: 'refuses an operation without a value',
    ...patch(NOTE, [{ op: 'replace', path: '/title' }]),
    status: 400,
    code: 4020,
  },
  { name: 'refuses a body that is no array', ...patch(NOTE, { title: 'x' }), status: 400, code: 1010 },
  { name: 'refuses a request without a body', ...patch(NOTE, undefined), status: 400, code: 1010 },
  {
    name: 'refuses a text with a NUL, which no store can keep',
    ...patch(NOTE, [replace('/title', 'a\u0000b')]),
    status: 400,
    code: 1010,
  },
  {
    name: 'refuses half of a surrogate pair',
    ...patch(NOTE, '[{"op":"replace","path":"/title","value":"\\ud83d"}]'),
    status: 400,
    code: 1010,
  },
  {
    name: 'refuses more operations than anybody sends',
    ...patch(NOTE, Array(1_001).fill(replace('/title', 'x'))),
    status: 400,
    code: 1010,
  },
  {
    name: 'refuses a body of more than 1 MB',
    ...patch(NOTE, [replace('/title', 'x'.repeat(1024 * 1024))]),
    status: 413,
    code: 1010,
  },
  { name: 'refuses what is no JSON', ...patch(NOTE, '[{'), status: 400, code: 1010 },
  {
    name: 'refuses a deleted document with 422, code 3010 (decision 4)',
    ...patch(DELETED, [replace('/title', 'x')]),
    status: 422,
    json: { code: 3010, message: `Document ${DELETED} is deleted: it can be read, but not changed.` },
  },
  { name: 'refuses a deleted document even when nothing would change', ...patch(DELETED, []), status: 422, code: 3010 },
  {
    name: 'refuses an unknown id with 404, code 1040',
    ...patch(UNKNOWN, [replace('/title', 'x')]),
    status: 404,
    json: notFound('EN', UNKNOWN),
  },
  {
    name: 'answers the document of another company as one that is not there',
    ...patch(OF_SV, [replace('/title', 'x')]),
    status: 404,
    json: notFound('EN', OF_SV),
  },
  {
    name: 'rule 7: refuses an id that is no GUID with 404 in the information shape',
    ...patch('x', [replace('/title', 'x')]),
    status: 404,
    json: information('Guid should contain 32 digits with 4 dashes'),
  },
  {
    name: 'rule 7: refuses a malformed GUID with 404 in the information shape',
    ...patch(UNKNOWN.replace('0', 'g'), [replace('/title', 'x')]),
    status: 404,
    json: information('Unrecognised Guid format.'),
  },
  ...['XX', 'SV', 'null', '%2527'].map((companyId) => ({
    name: `rule 7: refuses the company ${companyId} with 422, whether it exists or not`,
    ...patch(OF_SV, [replace('/title', 'x')], { url: urlOf(OF_SV, `?companyId=${companyId}`) }),
    status: 422,
    json: { code: 1010, message: 'Unknown companyId.' },
  })),
  ...['reader', 'creator', 'nobody'].map((as) => ({
    name: `rule 7: refuses ${as}, who has no permission, with 403`,
    ...patch(NOTE, [replace('/title', 'x')], { as }),
    status: 403,
    json: notAuthorised,
  })),
  {
    name: 'refuses a caller without credentials',
    ...patch(NOTE, [replace('/title', 'x')]),
    as: undefined,
    status: 401,
    json: { statusCode: 401, message: 'Invalid JWT.' },
  },
  {
    name: 'refuses a tag that no longer holds with 409, code 3090 (decision 5)',
    ...patch(NOTE, [replace('/title', 'x')], { headers: { 'if-match': '"0"' } }),
    status: 409,
    code: 3090,
  },
]
onEachArchive(
  'PATCH /v1/documents/{id}, refused,',
  (world) => {
    beforeAll(async () => {
      ids.restart()
      await create(world(), invoiceOf('Invoice', { indexes: [...INDEXES, { sequenceNo: 3, indexValue: 'Remark' }] }))
      await create(
        world(),
        noteOf('Contract', { docType: 'CONTRACT', indexes: [{ sequenceNo: 10, indexValue: 'Nordfjord AS' }] }),
      )
      await create(world(), noteOf('Note'))
      await create(world(), noteOf('Deleted'))
      await create(world(), noteOf('canary-of-SV', { companyId: 'SV' }), 'sv')
      await world().send({ as: 'integration', method: 'DELETE', url: urlOf(DELETED) })
    })

    runScenarios(world, scenarios)
  },
  { newId: ids.next },
)
