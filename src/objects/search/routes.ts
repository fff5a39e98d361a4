// `GET /v1/search`: one question to everything that the caller may read.

import { Type } from 'typebox'
import { type QueryPairs, shortened } from '../../base/text.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import { companyParameter, ifNoneMatchParameter, refusal } from '../../http/openapi/parameters.ts'
import { contentReply, unchangedContent } from '../../http/route/replies.ts'
import type { ApiRequest, Route, RouteTable } from '../../http/route/route.ts'
import { QUERY_OPTIONS } from '../../model/option-names.ts'
import { queryParameter } from '../../model/option-texts.ts'
import { namedLanguages } from '../../model/titles.ts'
import { givenTexts } from '../../query/options.ts'
import { NO_CHARACTER } from '../../query/parse/bounds.ts'
import type { DeclaredDocuments } from '../declared-documents.ts'
import type { EnterpriseDocument } from '../enterprise-document.ts'
import type { ObjectService } from '../query-document.ts'
import { searchCompany } from './search-company.ts'
import { searchTerms } from './search-terms.ts'

const MAX_TEXT = 100
const MAX_LIMIT = 50
const LIMIT = 5

export function searchRoutes(
  router: RouteTable,
  service: ObjectService,
  builtIn: readonly EnterpriseDocument[],
  custom: DeclaredDocuments,
): void {
  router.get('/v1/search', {
    ...SEARCH,
    handle: async (request) => search(request, service, [...builtIn, ...custom.all]),
  })
}

async function search(request: ApiRequest, service: ObjectService, documents: readonly EnterpriseDocument[]) {
  const { text, limit } = optionsIn(request.query)
  if (text === '') return contentReply(request, { groups: [], unfinished: [] })
  const { store, companies } = service
  const searched = {
    store,
    company: companies.require(request.companyId),
    terms: searchTerms(text),
    languages: namedLanguages(request.acceptLanguage),
    requester: request.requester,
  }
  return contentReply(request, await searchCompany(searched, request.caller, documents, limit))
}

function optionsIn(query: QueryPairs): { readonly text: string; readonly limit: number } {
  const given = givenTexts(query, [...QUERY_OPTIONS, 'q'])
  const text = (given('q') ?? '').replace(/\p{Cc}+/gu, (found) => (found.includes('\0') ? found : ' ')).trim()
  if (text.length > MAX_TEXT) throw invalidOption(`q is too long: at most ${MAX_TEXT} characters.`)
  if (NO_CHARACTER.test(text)) throw invalidOption('q has a character that no text can have.')
  return { text, limit: limitIn(given('limit')) }
}

function limitIn(text: string | undefined): number {
  if (text === undefined) return LIMIT
  const limit = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0
  if (limit >= 1 && limit <= MAX_LIMIT) return limit
  throw invalidOption(`The value '${shortened(text, 40)}' is not valid for limit: 1 to ${MAX_LIMIT}.`)
}

const Value = Type.Union([Type.String(), Type.Number()])
const shown = {
  property: Type.String({ description: 'Its path, as in queries.' }),
  title: Type.String({ description: 'In the language of `Accept-Language`, else in English.' }),
  type: Type.String({ description: 'string, integer, number, decimal, boolean or date-time.' }),
  value: Value,
}

const SEARCH: Omit<Route, 'handle'> = {
  operationId: 'search',
  permit: 'objects:read',
  summary: 'Search all documents that the caller may query',
  description:
    'Finds records by their key, names and descriptions (any part, all words), codes and numbers (their start), all without letter case, amounts and dates as people write them (`1250.50`, `1 250,50`, `2026-11-23`, `23.11.2026`), and documents of the archive by the words of their files where the caller may read these. Rules of rows and fields hold as in queries. Best first: a whole key, a whole value, the start of a name, the start of words, inside; of equal ones the record that was changed last. Of documents with more than 100,000 records, the last ones by the key are looked at, and all of them by indexes: `unfinished` tells so, and what took longer than five seconds. Relations and the change log are not searched: the records that they are about are found.',
  parameters: [
    companyParameter,
    queryParameter(
      'q',
      'What to search for, at most 100 characters, of which none has a meaning of its own. Nothing is found without it.',
      Type.String({ maxLength: MAX_TEXT, examples: ['solheim'] }),
    ),
    queryParameter(
      'limit',
      'At most so many hits of each document.',
      Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: LIMIT }),
    ),
    ifNoneMatchParameter,
  ],
  answers: {
    ...unchangedContent,
    200: {
      description: 'What was found, by document; the best first.',
      headers: { ETag: 'Of this content, for If-None-Match.', Vary: 'The headers that the answer depends on.' },
      schema: Type.Object(
        {
          groups: Type.Array(
            Type.Object({
              document: Type.String({ description: 'The name of the Enterprise Document.' }),
              version: Type.Integer(),
              title: Type.String(),
              hits: Type.Array(
                Type.Object({
                  key: Type.Record(Type.String(), Value, { description: 'Without the company.' }),
                  title: Type.String({ description: 'What people call the record; its key where it has no name.' }),
                  details: Type.Array(Type.Object(shown), { description: 'What tells it from others.' }),
                  matches: Type.Array(
                    Type.Object({
                      ...shown,
                      ranges: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
                        description:
                          'The matching parts of a text: from a character to the one behind the last, in UTF-16. Empty where all of the value matches, and for `fileContent`.',
                      }),
                    }),
                    { description: 'Which properties match; of a long text what is around the match.' },
                  ),
                }),
              ),
              hasMore: Type.Boolean({ description: 'There are more hits than `limit`.' }),
            }),
          ),
          unfinished: Type.Array(
            Type.Object({
              document: Type.String(),
              title: Type.String(),
              lookedAt: Type.Optional(Type.Integer({ description: 'Absent: it took too long.' })),
            }),
            { description: 'Documents that were not searched to the end.' },
          ),
        },
        { title: 'SearchResult' },
      ),
    },
    400: refusal('The text or the limit is wrong.'),
  },
}
