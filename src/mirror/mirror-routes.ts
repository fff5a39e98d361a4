// `GET /v1/mirror`: what a company is a mirror of, and how fresh each of its documents is.
import Type, { type Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { entityNotFound } from '../errors/catalogue.ts'
import { commonAnswers, companyParameter, refusal } from '../http/openapi/parameters.ts'
import type { ApiRequest, RouteTable, RouteText } from '../http/route/route.ts'
import { refuseMisspelt } from '../model/option-names.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { NEW_DOCUMENT } from './document-state.ts'
import type { MirrorService } from './mirror-service.ts'
import { countFindings, findUse, listFindings, MOST_LISTED } from './mirror-store.ts'

const MirroredAnswer = Type.Object(
  {
    name: Type.String(),
    phase: Type.String({ description: '`loading`, `following`, or `absent`: the source does not show it.' }),
    rows: Type.Integer({ description: 'Records that are here.' }),
    sourceRows: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Records of the source when they were counted last; null: it has not told.',
    }),
    asOf: Type.Union([Type.String(), Type.Null()], {
      description: 'Everything that the source had at this moment is here.',
    }),
    ageSeconds: Type.Union([Type.Integer(), Type.Null()]),
    sweptAt: Type.Union([Type.String(), Type.Null()], { description: 'The last complete look for removed records.' }),
    requests: Type.Integer({ description: 'Pages that the source was asked for.' }),
    misfits: Type.Integer({ description: 'Records with something that could not be kept as it came.' }),
    problem: Type.String({ description: 'Why it is not fresh; empty: nothing is wrong.' }),
  },
  { title: 'MirroredDocument' },
)

const QuotaAnswer = Type.Object(
  {
    requests: Type.Integer({ description: 'In the last minute.' }),
    requestsAllowed: Type.Integer({ description: "The mirror's share of what the source allows." }),
    bytes: Type.Integer({ description: 'Of answers, in the last five minutes.' }),
    bytesAllowed: Type.Integer(),
  },
  { title: 'MirrorQuota' },
)

const MirrorAnswer = Type.Object(
  {
    companyId: Type.String(),
    url: Type.Union([Type.String(), Type.Null()], { description: 'Of the source; null: the company is no mirror.' }),
    writes: Type.Union([Type.String(), Type.Null()], { description: '`refuse` or `forward`.' }),
    quota: Type.Union([QuotaAnswer, Type.Null()], {
      description: 'What is used of the quotas of the source, as of some seconds ago; null: nothing fills it now.',
    }),
    documents: Type.Array(MirroredAnswer),
  },
  { title: 'Mirror' },
)

const FindingsAnswer = Type.Array(
  Type.Object(
    {
      key: Type.Array(Type.Union([Type.String(), Type.Number()])),
      findings: Type.Array(Type.Object({ member: Type.String(), message: Type.String() })),
    },
    { title: 'MirrorFinding' },
  ),
)

export function mirrorRoutes(router: RouteTable, mirror: MirrorService, companies: Companies): void {
  router.get('/v1/mirror', {
    ...MIRROR_TEXT,
    handle: async (request) => ({ status: 200, body: JSON.stringify(await describe(mirror, companies, request)) }),
  })
  router.get('/v1/mirror/:document', {
    ...FINDINGS_TEXT,
    handle: async (request) => {
      refuseMisspelt(request.query)
      const { document = '' } = request.params
      const company = companies.require(request.companyId)
      if (!seesWhole(request.caller, company, document)) {
        throw entityNotFound({ Company: company.id, Document: document })
      }
      const found = await listFindings(mirror.reading(company), document)
      return { status: 200, body: JSON.stringify(found) }
    },
  })
}

/** Counts, keys and texts are of all records: whoever has rules for a document learns none of them. */
function seesWhole(caller: Caller, { id }: CompanyRules, document: string): boolean {
  return caller.mayQuery(id, 'read', document) && caller.rulesForQuery(id, document, []) === undefined
}

async function describe(
  mirror: MirrorService,
  companies: Companies,
  request: ApiRequest,
): Promise<Static<typeof MirrorAnswer>> {
  refuseMisspelt(request.query)
  const company = companies.require(request.companyId)
  const states = await mirror.statesOf(company)
  const misfits = await countFindings(mirror.reading(company))
  const names = [...mirror.documentsOf(company).keys()]
  const readable = names.filter((name) => seesWhole(request.caller, company, name))
  const documents = readable.map((name) => {
    const { phase, rows, sourceRows, asOf, sweptAt, requests, problem } = states.get(name) ?? NEW_DOCUMENT
    const ageSeconds = asOf === '' ? null : Math.max(0, Math.round((mirror.now - Date.parse(asOf)) / 1000))
    return {
      ...{ name, phase, rows, sourceRows: sourceRows < 0 ? null : sourceRows, asOf: asOf || null, ageSeconds },
      ...{ sweptAt: sweptAt || null, requests, misfits: misfits.get(name) ?? 0, problem },
    }
  })
  const { url = null, writes = null } = company.source ?? {}
  const quota = (await findUse(mirror.reading(company))) ?? null
  return { companyId: company.id, url, writes, quota, documents }
}

const MIRROR_TEXT: RouteText = {
  operationId: 'readMirror',
  permit: 'objects:read',
  summary: 'How fresh a mirror is',
  description:
    'For a company that fills itself from an ERP system: for each document that the caller may read whole, how many records are here and there, how old they are, and what is wrong.',
  parameters: [companyParameter],
  answers: {
    ...commonAnswers,
    200: { description: 'The mirror and its documents.', schema: MirrorAnswer },
  },
}

const FINDINGS_TEXT: RouteText = {
  operationId: 'listMirrorFindings',
  permit: 'objects:read',
  summary: 'What a mirror could not keep as it came',
  description: `The first ${MOST_LISTED} records of a document with members that could not be read, or that were left out.`,
  parameters: [companyParameter, { name: 'document', in: 'path', description: 'Its name.', schema: Type.String() }],
  answers: {
    ...commonAnswers,
    200: { description: 'The records, by their keys.', schema: FindingsAnswer },
    404: refusal('There is no such document, or the caller sees only a part of it.'),
  },
}
