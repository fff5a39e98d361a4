// `GET /v1/mirror`: what a company is a mirror of, and how fresh each of its documents is.

import Type, { type Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { entityNotFound, notAuthorised } from '../errors/catalogue.ts'
import { companyParameter, refusal } from '../http/openapi/parameters.ts'
import { translatorFor } from '../http/pipeline/reader.ts'
import type { ApiRequest, RouteTable, RouteText } from '../http/route/route.ts'
import { refuseMisspelt } from '../model/option-names.ts'
import { pathParameter } from '../model/option-texts.ts'
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
    sourceRows: Type.Optional(
      Type.Integer({ description: 'Records of the source when they were counted last; absent: it has not told.' }),
    ),
    asOf: Type.Optional(Type.String({ description: 'Everything that the source had at this moment is here.' })),
    ageSeconds: Type.Optional(Type.Integer()),
    sweptAt: Type.Optional(Type.String({ description: 'The last complete look for removed records.' })),
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
  {
    title: 'MirrorQuota',
    description: 'What is used of the quotas of the source, as of some seconds ago; absent: nothing fills it now.',
  },
)

const MirrorAnswer = Type.Object(
  {
    companyId: Type.String(),
    url: Type.Optional(Type.String({ description: 'Of the source; absent: the company is no mirror.' })),
    writes: Type.Optional(Type.String({ description: '`refuse` or `forward`.' })),
    quota: Type.Optional(QuotaAnswer),
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
      if (!mirror.knows(company, document)) throw entityNotFound({ Company: company.id, Document: document })
      if (!seesWhole(request.caller, company, document)) {
        throw notAuthorised(`no role of the caller shows all of ${document}`)
      }
      const found = await listFindings(mirror.reading(company), document)
      const translate = translatorFor(request.messageLanguage())
      const told = found.map(({ key, findings }) => ({
        key,
        findings: findings.map((one) => ({ ...one, message: translate(one.message) })),
      }))
      return { status: 200, body: JSON.stringify(told) }
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
  const translate = translatorFor(request.messageLanguage())
  const documents = readable.map((name) => {
    const { phase, rows, sourceRows, asOf, sweptAt, requests, problem } = states.get(name) ?? NEW_DOCUMENT
    const ageSeconds = Math.max(0, Math.round((mirror.now - Date.parse(asOf)) / 1000))
    return {
      ...{ name, phase, rows, requests, misfits: misfits.get(name) ?? 0, problem: translate(problem) },
      ...(sourceRows < 0 ? {} : { sourceRows }),
      ...(asOf === '' ? {} : { asOf, ageSeconds }),
      ...(sweptAt === '' ? {} : { sweptAt }),
    }
  })
  const { url, writes } = company.source ?? {}
  const quota = await findUse(mirror.reading(company))
  return {
    companyId: company.id,
    ...(url === undefined || writes === undefined ? {} : { url, writes }),
    ...(quota ? { quota } : {}),
    documents,
  }
}

const MIRROR_TEXT: RouteText = {
  operationId: 'readMirror',
  permit: 'objects:read',
  summary: 'How fresh a mirror is',
  description:
    'For a company that fills itself from an ERP system: for each document that the caller may read whole, how many records are here and there, how old they are, and what is wrong.',
  parameters: [companyParameter],
  answers: {
    200: { description: 'The mirror and its documents.', schema: MirrorAnswer },
  },
}

const FINDINGS_TEXT: RouteText = {
  operationId: 'listMirrorFindings',
  permit: 'objects:read',
  summary: 'What a mirror could not keep as it came',
  description: `The first ${MOST_LISTED} records of a document with members that could not be read, or that were left out.`,
  parameters: [companyParameter, pathParameter('document', 'Its name.', Type.String())],
  answers: {
    200: { description: 'The records, by their keys.', schema: FindingsAnswer },
    404: refusal('There is no such document.'),
  },
}
