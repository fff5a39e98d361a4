// The endpoints of batch operations: rows are sent to the resource whose records they are.

import { createReadStream } from 'node:fs'
import { type TSchema, Type } from 'typebox'
import { noResource } from '../errors/catalogue.ts'
import type { GivenContent } from '../files/file-store.ts'
import { formFiles } from '../http/body/form-files.ts'
import { companyParameter, goneAnswer, refusal } from '../http/openapi/parameters.ts'
import { translatorFor } from '../http/pipeline/reader.ts'
import {
  ANY_CALLER,
  type ApiRequest,
  type DescribedRoute,
  type Route,
  type RouteTable,
  type RouteText,
} from '../http/route/route.ts'
import { refuseMisspelt } from '../model/option-names.ts'
import { type ParameterDescription, pathParameter, queryParameter } from '../model/option-texts.ts'
import { fromParameter, limitParameter, listPageIn } from '../query/parse/parameters.ts'
import { IMPORTED_KINDS } from '../records/kinds/kinds.ts'
import { idempotent } from '../records/shared/idempotent.ts'
import type { RecordRules } from '../setup/rules/record-rules.ts'
import { DAY_ORDERS, DECIMAL_SIGNS } from '../transfer/rows/cell-forms.ts'
import { SEPARATOR_NAMES } from '../transfer/rows/separators.ts'
import { ENCODING_NAMES } from '../transfer/rows/text-form.ts'
import type { BatchOperation, BatchOptions } from './batch-operation.ts'
import type { BatchOperationService } from './batch-operation-service.ts'
import { createOperation, MAX_OPEN } from './create-operation.ts'
import {
  answeredForms,
  answerOf,
  MAX_RESULTS,
  OperationAnswer,
  PreviewAnswer,
  ResultAnswer,
  resultOf,
  TakenBackAnswer,
} from './operation-answer.ts'
import { MAX_PREVIEW_BYTES, MAX_PREVIEW_ROWS, previewRows } from './preview-rows.ts'
import { readOperation, readOperations, readResults, stopOperation } from './read-operations.ts'
import {
  CSV_TYPE,
  FORM_TYPE,
  NDJSON_TYPE,
  readBatchOptions,
  readFormOptions,
  readPatchOptions,
} from './read-options.ts'
import { type TakenBack, takeBack } from './take-back.ts'

/** Some million rows. */
const MAX_BODY_BYTES = 128 * 1024 * 1024

const COLLECTION = '/v1/batch-operations'
const SINGLE = `${COLLECTION}/:id`

export function batchOperationRoutes(router: RouteTable, service: BatchOperationService): void {
  for (const [resource, kind] of IMPORTED_KINDS) {
    for (const { path, operation, texts, handle } of UPLOADS) {
      if (operation === 'update' && !kind.patches) continue
      router.post(`/v1/${resource}/${path}`, {
        ...texts(resource),
        permit: `${resource}:${operation}`,
        handle: (request) => handle(service, request, resource),
      })
    }
  }
  const ofSetup: Pick<Route, 'requireResource' | 'methodsAt'> = {
    requireResource: ({ version = '', name = '' }, path) => {
      if (!service.own.findRecord(version, name)) throw noResource(path)
    },
    methodsAt: ({ version = '', name = '' }) => (service.own.findRecord(version, name) ? ['POST'] : []),
  }
  // These paths are those of the documents of the setup in force.
  for (const { path, operation, texts, handle } of UPLOADS) {
    router.post(`/:version/:name/${path}`, {
      ...texts('records of the setup'),
      ...ofSetup,
      permit: ({ name = '' }) => `${name}:${operation}`,
      handle: (request) => handle(service, request, request.params.name ?? ''),
    })
  }
  router.get(COLLECTION, {
    permit: ANY_CALLER,
    summary: 'List the newest batch operations, the newest first',
    description: 'Those with records that the caller may create.',
    parameters: [companyParameter, limitParameter()],
    answers: {
      200: { description: 'They are kept for 7 days.', schema: Type.Array(OperationAnswer) },
    },
    handle: async (request) => {
      const { id } = service.companies.require(request.companyId)
      const operations = await readOperations(service, request, listPageIn(request.query).limit)
      const translate = translatorFor(request.messageLanguage())
      return { status: 200, body: JSON.stringify(operations.map((operation) => answerOf(id, operation, translate))) }
    },
  })
  router.get(`${SINGLE}/status`, {
    operationId: 'readBatchOperation',
    permit: ANY_CALLER,
    summary: 'Read how far a batch operation is',
    parameters: keyParameters,
    answers: {
      ...noSuchOperation,
      200: { description: 'The operation.', schema: OperationAnswer },
    },
    handle: async (request) => {
      refuseMisspelt(request.query)
      return reply(service, request, await readOperation(service, { ...request, ...keyOf(request) }))
    },
  })
  router.get(`${SINGLE}/results`, resultsRoute(service))
  router.delete(`${SINGLE}/records`, {
    operationId: 'takeBackBatchOperation',
    permit: ANY_CALLER,
    summary: 'Take back what a batch operation has created or changed, some dozens of records at a time',
    description:
      'What it has created is removed for good with its lines, unless somebody else has changed it since, something refers to it, or a hold keeps it: this needs the permission to delete such records, and to see them all. What it has changed gets its values back, as by a PATCH of each, unless somebody else has changed it since or the operation has changed its lines.',
    parameters: [...keyParameters, fromParameter('row')],
    answers: {
      ...goneAnswer,
      ...noSuchOperation,
      200: { description: 'What has become of them.', schema: TakenBackAnswer },
      400: refusal('Its records are no customers, and of no document of the setup.'),
    },
    handle: (apiRequest) =>
      idempotent(service, apiRequest, {
        write: (request) => takeBack(service, { ...request, ...keyOf(request), from: listPageIn(request.query).from }),
        toStored: (taken: TakenBack) => ({ status: 200, body: JSON.stringify(taken) }),
      }),
  })
  router.delete(SINGLE, {
    operationId: 'cancelBatchOperation',
    permit: ANY_CALLER,
    summary: 'Cancel a batch operation: what is stored stays, and nothing is added',
    parameters: keyParameters,
    answers: {
      ...noSuchOperation,
      200: { description: 'The operation as it is now.', schema: OperationAnswer },
      409: refusal('It has ended already.'),
    },
    handle: (apiRequest) =>
      idempotent(service, apiRequest, {
        write: (request) => stopOperation(service, { ...request, ...keyOf(request) }),
        toStored: (operation: BatchOperation) => reply(service, apiRequest, operation),
      }),
  })
}

/** The endpoints that take rows for documents of the setup, for the API description. */
export function declaredUploadEndpoints(records: Iterable<RecordRules>): readonly DescribedRoute[] {
  return [...records].flatMap(({ name, version }) =>
    UPLOADS.map(({ path, operation, texts }) => ({
      ...texts(name),
      path: `/v${version}/${name}/${path}`,
      permit: `${name}:${operation}` as const,
      operationId: texts(name).operationId + (version === 1 ? '' : `V${version}`),
      method: 'POST' as const,
    })),
  )
}

/** What a resource takes many rows for. */
const UPLOADS = [
  { path: 'batch', operation: 'create', texts: uploadTexts, handle: takeRows },
  { path: 'batch/preview', operation: 'create', texts: previewTexts, handle: preview },
  { path: 'batch/patches', operation: 'update', texts: patchTexts, handle: takePatches },
] as const

function previewTexts(document: string) {
  return {
    operationId: operationName(document, 'preview'),
    writesNothing: true,
    summary: `See how rows of ${document} would be read, before they are sent`,
    description: `CSV of at most ${MAX_PREVIEW_BYTES / 1024 / 1024} MiB and ${MAX_PREVIEW_ROWS.toLocaleString('en')} rows. Nothing is stored, and no row is checked: that does a batch operation with \`validateOnly\`.`,
    parameters: [companyParameter, ...formParameters],
    body: ROWS,
    upload: { types: [CSV_TYPE], maxBytes: MAX_PREVIEW_BYTES },
    answers: {
      200: { description: 'The cells, how they are read, and what the headings probably mean.', schema: PreviewAnswer },
      400: refusal('The body is no table, or an option cannot be used.'),
      415: refusal('The body is no CSV, or is compressed.'),
    },
  } satisfies Omit<RouteText, 'permit'>
}

async function preview(service: BatchOperationService, request: ApiRequest, document: string) {
  const { readWith, ...shown } = await previewRows(service, { ...request, document, options: readFormOptions(request) })
  const message = translatorFor(request.messageLanguage())(shown.message)
  return { status: 200, body: JSON.stringify({ readWith: answeredForms(readWith), ...shown, message }) }
}

const ACCEPTED = {
  202: {
    description: 'The operation, which begins soon.',
    schema: OperationAnswer,
    headers: { Location: 'The address of its status.' },
  },
  422: refusal('A quota of the company is used up, or the key was sent with another request.'),
}

function uploadTexts(document: string) {
  return {
    operationId: operationName(document),
    summary: `Send many ${document} in one body, to be stored in the background`,
    description: `CSV with a line of names first, or an object a line, of at most ${MAX_BODY_BYTES / 1024 / 1024} MiB. Each row is checked and stored as by a POST of its own; rejected ones are told in the results. Operations of a company are done one after the other, at most ${MAX_OPEN} wait. With \`validateOnly\` all rows are checked, and no record is stored. A form has the rows as its file \`rows\`, and may have a \`map\` of headings, in YAML, and a file for each list of the records, by the name of the list, such as \`lines\` of orders.`,
    parameters: [companyParameter, ...optionParameters],
    body: ROWS,
    upload: { types: [NDJSON_TYPE, CSV_TYPE, FORM_TYPE], maxBytes: MAX_BODY_BYTES },
    answers: {
      ...ACCEPTED,
      400: refusal('The body is empty, or an option cannot be used.'),
      415: refusal('The body is neither CSV nor NDJSON nor a form, or is compressed.'),
    },
  } satisfies Omit<RouteText, 'permit'>
}

function patchTexts(document: string) {
  return {
    operationId: operationName(document, 'patch'),
    summary: `Send many changes of ${document} in one body, to be made in the background`,
    description: `An object a line with the key of a record and its \`operations\`, of at most ${MAX_BODY_BYTES / 1024 / 1024} MiB. Each is checked and stored as by a PATCH of its own, and a record that is not there is rejected; else as rows are sent.`,
    parameters: [companyParameter, unchangedParameter],
    body: PATCHES,
    upload: { types: [NDJSON_TYPE], maxBytes: MAX_BODY_BYTES },
    answers: {
      ...ACCEPTED,
      400: refusal('The body is empty, or an option cannot be used.'),
      415: refusal('The body is no NDJSON, or is compressed.'),
    },
  } satisfies Omit<RouteText, 'permit'>
}

async function takeRows(service: BatchOperationService, apiRequest: ApiRequest, document: string) {
  const given = readBatchOptions(apiRequest)
  const { content, contentType = '' } = apiRequest
  const files = given.format === 'form' ? await formFiles(bytesOf(content), contentType) : undefined
  return take(service, apiRequest, document, files ? { ...given, files } : given)
}

async function takePatches(service: BatchOperationService, apiRequest: ApiRequest, document: string) {
  return take(service, apiRequest, document, readPatchOptions(apiRequest))
}

function take(service: BatchOperationService, apiRequest: ApiRequest, document: string, options: BatchOptions) {
  // That only rows are checked is an option of the operation, which is stored all the same.
  return idempotent(
    service,
    { ...apiRequest, validateOnly: false },
    {
      write: (request) => createOperation(service, { ...request, document, options }),
      toStored: (operation: BatchOperation) => ({
        ...reply(service, apiRequest, operation),
        status: 202,
        headers: { location: `${COLLECTION}/${operation.id}/status` },
      }),
    },
  )
}

/** Opens the file when it is read: nobody would hear of an error of one that is not. */
async function* bytesOf(content: GivenContent): AsyncGenerator<Buffer> {
  if (typeof content !== 'string') yield* createReadStream(content.path) as AsyncIterable<Buffer>
}

function resultsRoute(service: BatchOperationService): Route {
  return {
    operationId: 'listBatchOperationResults',
    permit: ANY_CALLER,
    summary: 'List the rows that were rejected, with what is wrong with them',
    description: `The first ${MAX_RESULTS.toLocaleString('en')} are kept. \`Accept: ${NDJSON_TYPE}\` gets an object a line.`,
    parameters: [...keyParameters, limitParameter(), fromParameter('row')],
    answers: {
      ...noSuchOperation,
      200: {
        description: 'A page of them, in the order of the rows.',
        schema: Type.Array(ResultAnswer),
        otherTypes: [NDJSON_TYPE],
      },
    },
    handle: async (request) => {
      const { rows, document } = await readResults(
        service,
        { ...request, ...keyOf(request) },
        listPageIn(request.query),
      )
      const translate = translatorFor(request.messageLanguage(), document)
      const results = rows.map((row) => JSON.stringify(resultOf(row, translate)))
      return request.accept?.toLowerCase().includes(NDJSON_TYPE)
        ? {
            status: 200,
            body: results.map((line) => `${line}\n`).join(''),
            headers: { 'content-type': `${NDJSON_TYPE}; charset=utf-8` },
          }
        : { status: 200, body: `[${results.join(',')}]` }
    },
  }
}

const ROWS = Type.String({ description: 'The rows.', examples: ['customerId,customerName\r\n100,Example AS\r\n'] })

const PATCHES = Type.String({
  description: 'The changes.',
  examples: ['{"customerId":"100","operations":[{"op":"replace","path":"/customerName","value":"Example AS"}]}\n'],
})

const keyParameters: readonly ParameterDescription[] = [
  pathParameter('id', 'The batch operation.', Type.String()),
  companyParameter,
]

const noSuchOperation = { 404: refusal('There is no such batch operation.') }

const formParameters: readonly ParameterDescription[] = [
  queryParameter('encoding', 'Of the letters; default: as found.', oneOf(ENCODING_NAMES)),
  queryParameter('separator', 'Between the cells of CSV; default: as found.', oneOf(SEPARATOR_NAMES)),
  queryParameter('decimal', 'Of the numbers of CSV; default: as found.', oneOf(DECIMAL_SIGNS)),
  queryParameter(
    'dates',
    'Day and month in dates of CSV with slashes or hyphens; default: as found.',
    oneOf(DAY_ORDERS),
  ),
]

const optionParameters: readonly ParameterDescription[] = [
  queryParameter('update', 'Change records that exist already, instead of rejecting their rows.', Type.Boolean()),
  queryParameter(
    'keepIds',
    'Keep the ids of the rows where a series gives them, which goes on behind; for administrators.',
    Type.Boolean(),
  ),
  queryParameter('addCodes', 'Attributes, with commas between them, whose missing codes are added.', Type.String()),
  ...formParameters,
]

const unchangedParameter = queryParameter(
  'unchangedSince',
  'The `X-ERP-Change-Number` of an answer: a record that has changed since is rejected.',
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
)

function oneOf(names: readonly string[]): TSchema {
  return Type.Union(names.map((name) => Type.Literal(name)))
}

/** `sendCustomers` of customers. */
function operationName(document: string, verb = 'send'): string {
  const words = document.split('-').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return verb + words.join('')
}

function keyOf({ params }: Pick<ApiRequest, 'params'>): { id: string } {
  return { id: params.id ?? '' }
}

function reply(
  { companies }: BatchOperationService,
  { companyId, messageLanguage }: ApiRequest,
  operation: BatchOperation,
) {
  const answer = answerOf(companies.require(companyId).id, operation, translatorFor(messageLanguage()))
  return { status: 200, body: JSON.stringify(answer) }
}
