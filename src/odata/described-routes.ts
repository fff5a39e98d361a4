// The paths of OData in the API description. They are the same for every setup: which entity sets there are and what
// these hold, the service document and the metadata say, as far as the caller may see it.
import { Type } from 'typebox'
import { goneAnswer, ifNoneMatchParameter, refusal } from '../http/openapi/parameters.ts'
import { replicaHeader } from '../http/route/replies.ts'
import type { DescribedRoute, ResponseDescription, Route } from '../http/route/route.ts'
import {
  applyOption,
  companyParameter,
  entitySetParameter,
  expandOption,
  fileParameter,
  filterOption,
  formatOption,
  jsonFormatOption,
  keyParameter,
  maxVersionParameter,
  navigationParameter,
  pageParameters,
  rowOptions,
  searchOption,
  selectOption,
} from './described-parameters.ts'
import { LINK_FILES } from './link-routes.ts'
import { COMPANY } from './request.ts'

const context = Type.Optional(Type.String({ description: 'What the answer consists of. Absent without metadata.' }))

const ServiceDocument = Type.Object(
  {
    '@odata.context': context,
    value: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['customers'] }),
        kind: Type.Literal('EntitySet'),
        url: Type.String({ description: 'Relative to the address of the document; absolute without metadata.' }),
      }),
    ),
  },
  { title: 'ODataServiceDocument' },
)

const Row = Type.Object(
  {},
  { additionalProperties: true, title: 'ODataRow', description: 'An entity, as `$metadata` describes it, or a group.' },
)

const Page = Type.Object(
  {
    '@odata.context': context,
    '@odata.count': Type.Optional(Type.Integer({ minimum: 0, description: 'How many there are, with `$count=true`.' })),
    value: Type.Array(Row),
    '@odata.nextLink': Type.Optional(
      Type.String({ description: 'The address of the next page; absent: there is none.' }),
    ),
  },
  { title: 'ODataPage' },
)

const Entity = Type.Object(
  { '@odata.context': context },
  { additionalProperties: true, title: 'ODataEntity', description: 'Its members are those of `$metadata`.' },
)

/** In plain text. */
const Count = Type.String({ pattern: '^[0-9]+$', examples: ['2000'] })

const Refusal = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'See the table of codes; the status where there is none.' }),
      message: Type.String({ description: 'What was wrong, where, and what was expected.' }),
    }),
  },
  { title: 'ODataRefusal', description: 'The body of every error below `/odata/v4/`.' },
)

const ENTITY_SET = `${COMPANY}/:entitySet`
const ENTITY = `${ENTITY_SET}(:key)`
const ITEMS = `${ENTITY}/:navigation`

type Text = Pick<Route, 'summary' | 'description' | 'parameters' | 'answers'>

const version = { 'OData-Version': 'Of the answer: 4.0, and 4.01 of metadata in JSON.' }

/** The body and the headers of every refusal. */
const refused = { schema: Refusal, headers: { 'OData-Version': 'Of the answer: 4.0.' } }

const contentTag = {
  ETag: 'Of the content, for If-None-Match.',
  Vary: 'The headers of the request that the answer depends on.',
  ...version,
  ...replicaHeader,
}

const recordHeaders = {
  'X-ERP-Change-Number':
    'The number of the last change in what the answer was read from. Absent where changes are not recorded, unless a replica answers.',
  ...version,
}

const WRONG_QUERY = { 400: refusal('An option or a header is wrong: the message says where, and what was expected.') }
const NO_SUCH_SET = { 404: refusal('The caller sees no such entity set.') }
const NO_SUCH_ENTITY = { 404: refusal('The caller sees no such entity set, or no such entity.') }
const NO_JSON = { 406: refusal('`Accept` takes no JSON.') }
const NOT_SUPPORTED = { 501: refusal('OData knows it and this service does not: the message names it.') }
const UNCHANGED = { 304: { description: 'Nothing has changed since the caller had it.', headers: contentTag } }

const answersOf = (answer: ResponseDescription, ...others: readonly Route['answers'][]): Route['answers'] =>
  Object.assign({ 200: answer, ...WRONG_QUERY }, ...others)

const serviceDocument: Text = {
  summary: 'List the entity sets of a company',
  description:
    'Entity sets are the Enterprise Documents that the caller may read, and their lists. The same rules hold as at `/v1/objects`.',
  parameters: [companyParameter, jsonFormatOption, maxVersionParameter, ifNoneMatchParameter],
  answers: answersOf(
    { description: 'The service document.', schema: ServiceDocument, headers: contentTag },
    UNCHANGED,
    NO_JSON,
    NOT_SUPPORTED,
  ),
}

const METADATA_FORMAT = formatOption('`xml`, or `json`, which is of OData 4.01.', 'xml')

const metadata: Text = {
  summary: 'Describe the entity sets of a company',
  parameters: [companyParameter, METADATA_FORMAT, maxVersionParameter, ifNoneMatchParameter],
  answers: answersOf(
    {
      description: 'The metadata, in CSDL.',
      schema: Type.String(),
      type: 'application/xml',
      otherTypes: ['application/json'],
      headers: contentTag,
    },
    UNCHANGED,
    NOT_SUPPORTED,
  ),
}

const CUSTOMERS = { filter: "countryCode eq 'NO'", select: 'customerId,customerName', orderby: 'customerId desc' }
const CONTACT_POINTS = { filter: 'position ge 1', select: 'position,contactPointType', orderby: 'position desc' }

const IN_SET = [companyParameter, entitySetParameter]
const IN_LIST = [...IN_SET, keyParameter, navigationParameter]

const page = { description: 'A page; without records when there are none.', schema: Page } as const
const pageHeaders = {
  'Preference-Applied': 'The size of the pages, where `Prefer` asked for one.',
  ...recordHeaders,
}
const count = {
  description: 'The number.',
  schema: Count,
  type: 'text/plain',
  headers: { ...version, ...replicaHeader },
}

const entitySet: Text = {
  summary: 'Query an entity set',
  description:
    'All pages of an answer are of one state of the records. Options that do not begin with `$` or `@` are passed over, as OData says.',
  parameters: [...IN_SET, ...rowOptions(CUSTOMERS), expandOption, searchOption, applyOption, ...pageParameters],
  answers: answersOf({ ...page, headers: pageHeaders }, NO_SUCH_SET, NO_JSON, goneAnswer, NOT_SUPPORTED),
}

const entitySetCount: Text = {
  summary: 'Count an entity set',
  parameters: [...IN_SET, filterOption(CUSTOMERS), searchOption, applyOption, maxVersionParameter],
  answers: answersOf(count, NO_SUCH_SET, NOT_SUPPORTED),
}

const entity: Text = {
  summary: 'Read an entity',
  parameters: [...IN_SET, keyParameter, selectOption(CUSTOMERS), expandOption, jsonFormatOption, maxVersionParameter],
  answers: answersOf(
    { description: 'The entity.', schema: Entity, headers: recordHeaders },
    NO_SUCH_ENTITY,
    NO_JSON,
    NOT_SUPPORTED,
  ),
}

const items: Text = {
  summary: 'Query the items of a list of an entity, or its lines',
  description: 'Pages begin behind the last item of the page before. Other paths behind an entity are answered 501.',
  parameters: [...IN_LIST, ...rowOptions(CONTACT_POINTS), applyOption, ...pageParameters],
  answers: answersOf({ ...page, headers: pageHeaders }, NO_SUCH_ENTITY, NO_JSON, NOT_SUPPORTED),
}

const itemCount: Text = {
  summary: 'Count the items of a list of an entity, or its lines',
  parameters: [...IN_LIST, filterOption(CONTACT_POINTS), applyOption, maxVersionParameter],
  answers: answersOf(count, NO_SUCH_ENTITY, NOT_SUPPORTED),
}

const linkFile: Text = {
  summary: 'Get a file that opens entity sets in Excel or Power BI',
  description:
    'It holds an address and no credentials. The options of a question to the entity set, such as `$apply`, are a part of the address in a file for Excel.',
  parameters: [companyParameter, fileParameter, ...rowOptions(CUSTOMERS), applyOption, maxVersionParameter],
  answers: answersOf(
    {
      description: 'The file.',
      schema: Type.String(),
      type: 'text/x-ms-odc',
      otherTypes: ['application/json'],
      headers: { 'Content-Disposition': 'The name of the file.', ...replicaHeader },
    },
    { 404: refusal('There is no such file.') },
    NOT_SUPPORTED,
  ),
}

/** For the API description. */
export const odataEndpoints: readonly DescribedRoute[] = [
  ...reads(COMPANY, 'ServiceDocument', serviceDocument),
  ...reads(`${COMPANY}/$metadata`, 'Metadata', metadata),
  ...reads(ENTITY_SET, 'EntitySet', entitySet),
  ...reads(`${ENTITY_SET}/$count`, 'EntityCount', entitySetCount),
  ...reads(ENTITY, 'Entity', entity),
  ...reads(ITEMS, 'Items', items),
  ...reads(`${ITEMS}/$count`, 'ItemCount', itemCount),
  ...reads(`${COMPANY}/${LINK_FILES}/:file`, 'LinkFile', linkFile),
]

function reads(path: string, noun: string, text: Text): DescribedRoute[] {
  const common = { permit: 'objects:read', path, problemDescription: refused } as const
  const { description: _ofGet, ...ofHead } = { ...text, summary: `${text.summary}: the headers alone` }
  return [
    { ...common, ...text, method: 'GET', operationId: `readOData${noun}` },
    { ...common, ...ofHead, method: 'HEAD', operationId: `probeOData${noun}` },
  ]
}
