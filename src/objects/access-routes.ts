// What a caller is told of itself: `GET /v1/access`, and `GET /v1/objects` with the documents that it may query.

import { Type } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { companyParameter, ifNoneMatchParameter } from '../http/openapi/parameters.ts'
import { companyQuery, contentReply, unchangedContent } from '../http/route/replies.ts'
import { ANY_CALLER, type ApiRequest, type Route, type RouteTable } from '../http/route/route.ts'
import { refuseMisspelt } from '../model/option-names.ts'
import { descriptionIn, documentTitle, namedLanguages, recordTitle } from '../model/titles.ts'
import { readOptions } from '../query/options.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { DeclaredDocuments } from './declared-documents.ts'
import type { EnterpriseDocument } from './enterprise-document.ts'
import { apisOf, queryableDocuments, queryOperations, rulesOf } from './own-access.ts'

export function accessRoutes(
  router: RouteTable,
  companies: Companies,
  builtIn: readonly EnterpriseDocument[],
  customDocuments: DeclaredDocuments,
): void {
  const documents = () => [...builtIn, ...customDocuments.all]
  router.get('/v1/access', {
    ...ACCESS,
    handle: (request) => contentReply(request, describeAccess(request, companies, documents())),
  })
  router.get(
    '/v1/objects',
    { ...OBJECTS, handle: (request) => contentReply(request, listDocuments(request, documents())) },
    {
      ...COUNT,
      handle: (request) => ({
        status: 200,
        headers: { 'x-erp-total-count': String(listDocuments(request, documents()).length) },
      }),
    },
  )
}

function describeAccess(
  { caller, companyId, query }: ApiRequest,
  companies: Companies,
  documents: readonly EnterpriseDocument[],
) {
  refuseMisspelt(query)
  const queryable = queryableDocuments(
    caller,
    companyId,
    documents.map(({ common }) => common.name),
  )
  return {
    clientId: caller.clientId,
    userId: caller.userId,
    defaultCompany: caller.defaultCompany,
    companies: companiesOf(caller, companies),
    companyId: companies.known(companyId)?.id ?? companyId,
    apis: apisOf(caller, companyId),
    documents: queryable.map(({ name, operations }) => ({ name, operations: [...operations] })),
    rules: rulesOf(caller, companyId, queryable).map((rule) => ({
      ...rule,
      operations: [...rule.operations],
      hidden: [...rule.hidden],
    })),
  }
}

function companiesOf(caller: Caller, companies: Companies) {
  return [...caller.companyIds]
    .flatMap((id) => companies.known(id) ?? [])
    .map(({ id, name }) => ({ companyId: id, companyName: name }))
}

function listDocuments(
  { caller, companyId, path, query, acceptLanguage }: ApiRequest,
  documents: readonly EnterpriseDocument[],
) {
  // The list takes none of them, and a misspelt one is refused as everywhere.
  readOptions(query)
  const basePath = path.slice(0, path.lastIndexOf('/v1/'))
  const ofCompany = companyQuery(caller, companyId)
  const languages = namedLanguages(acceptLanguage)
  return documents.flatMap(({ common, parameters = [] }) => {
    const { name, version } = common
    const operations = queryOperations(caller, companyId, name)
    if (operations.length === 0) return []
    const href = `${basePath}/v${version}/objects/${name}${ofCompany}`
    const links = [
      { rel: 'self', href, type: 'application/json' },
      { rel: 'describedby', href, type: 'application/schema+json' },
    ]
    const title = documentTitle(common, languages)
    const description = descriptionIn(common.description, languages)
    const named = parameters.map((parameter) => parameter.name)
    const ofRecord = recordTitle(common, languages)
    const titles = { title, ...(ofRecord === undefined ? {} : { recordTitle: ofRecord }) }
    return [{ name, version, ...titles, description, operations, parameters: named, links }]
  })
}

type RouteText = Omit<Route, 'handle'>

const TAG_HEADERS = { ETag: 'Of this content, for If-None-Match.', Vary: 'The headers that the answer depends on.' }
const Names = Type.Array(Type.String())

const ACCESS: RouteText = {
  permit: ANY_CALLER,
  summary: 'What the caller may do',
  description:
    'Its client and user, the companies in which it has a role, and for one of them: the operations of each API, the documents that it may query, and what its rules leave out. It tells nothing of others. A document that is associated with another one shows what a query of itself would.',
  parameters: [companyParameter, ifNoneMatchParameter],
  answers: {
    ...unchangedContent,
    200: {
      description: 'The rights in force.',
      headers: TAG_HEADERS,
      schema: Type.Object(
        {
          clientId: Type.String({ description: 'Of a token of a foreign issuer: `foreign:ISSUER|SUBJECT`.' }),
          userId: Type.String(),
          defaultCompany: Type.String(),
          companies: Type.Array(Type.Object({ companyId: Type.String(), companyName: Type.String() }), {
            description: 'Those in which the caller has a role.',
          }),
          companyId: Type.String({ description: 'The company that all that follows is about.' }),
          apis: Type.Record(Type.String(), Names, { description: 'API -> operations.' }),
          documents: Type.Array(Type.Object({ name: Type.String(), operations: Names }), {
            description: 'That the caller may query, and export.',
          }),
          rules: Type.Array(
            Type.Object({
              document: Type.String(),
              operations: Type.Array(Type.String(), { description: 'That it applies to, such as `customers:update`.' }),
              filter: Type.Optional(Type.String({ description: 'Only records that meet it are there.' })),
              hidden: Type.Array(Type.String(), { description: 'Properties that are not there, in lower case.' }),
            }),
          ),
        },
        { title: 'Access' },
      ),
    },
  },
}

const OBJECTS: RouteText = {
  operationId: 'listEnterpriseDocuments',
  permit: 'objects:read',
  summary: 'List the documents that the caller may query',
  parameters: [companyParameter, ifNoneMatchParameter],
  answers: {
    ...unchangedContent,
    200: {
      description: 'The documents; an empty array when there are none.',
      headers: TAG_HEADERS,
      schema: Type.Array(
        Type.Object(
          {
            name: Type.String(),
            version: Type.Integer(),
            title: Type.String({ description: 'In the language of `Accept-Language`, else in English.' }),
            recordTitle: Type.Optional(
              Type.String({
                description: 'What one of its records is called; absent where the setup does not say it.',
              }),
            ),
            description: Type.String(),
            operations: Names,
            parameters: Type.Array(Type.String(), { description: 'Besides the options of every query.' }),
            links: Type.Array(Type.Object({ rel: Type.String(), href: Type.String(), type: Type.String() }), {
              description: '`self` has its records; `describedby` is the same address, with its type as `Accept`.',
            }),
          },
          { title: 'QueryableDocument' },
        ),
      ),
    },
  },
}

const COUNT: RouteText = {
  operationId: 'countEnterpriseDocuments',
  permit: 'objects:read',
  summary: 'Count the documents that the caller may query',
  parameters: [companyParameter],
  answers: {
    200: { description: 'No body.', headers: { 'X-ERP-Total-Count': 'How many there are.' } },
  },
}
