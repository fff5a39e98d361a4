// Random questions in OData, answered as the same questions at /v1/objects. RELIABILITY=full asks 20,000 of each store,
// TABULARIUM_SEED reproduces a run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/access/caller.ts'
import { LongWork } from '../../src/changes/long-work.ts'
import { PastAnswers } from '../../src/changes/past/past-answers.ts'
import { sameForAll } from '../../src/objects/enterprise-document.ts'
import type { ObjectService } from '../../src/objects/query-document.ts'
import type { EntitySet } from '../../src/odata/metadata/entity-set.ts'
import { named } from '../../src/odata/metadata/named-definition.ts'
import { readPage } from '../../src/odata/read-page.ts'
import { readOptions } from '../../src/query/options.ts'
import { planCollection } from '../../src/query/plan.ts'
import { answerCollection } from '../../src/store/collection.ts'
import { INTERNAL_CALLER } from '../../src/store/store.ts'
import {
  alikeEverywhere,
  COMPANY,
  DOCUMENTS,
  recordsOf,
  type ServedDocument,
  startWorlds,
  stopWorlds,
  textOf,
  worlds,
} from '../support/differential-worlds.ts'
import { type Question, RandomQuestions } from '../support/odata/random-questions.ts'
import { randomNumbers, SEED, triesOf } from '../support/reliability-test.ts'
import type { World } from '../support/world.ts'

const QUESTIONS = Math.ceil(triesOf({ smoke: 300, long: 300, full: 20_000 }) / DOCUMENTS.length)

beforeAll(startWorlds)
afterAll(stopWorlds)

/** The texts of codes have a name of their own in OData. */
const asOData = (rows: string) => rows.replaceAll(/"(\w+)\(description\)":/g, '"$1_text":')

function setOf({ name, of, scope }: ServedDocument, world: World): EntitySet {
  const definition = of(world)
  return { name, document: sameForAll(definition, scope), ...named(definition) }
}

const caller = { clientId: 'client', userId: 'user' } as Caller
const request = {
  companyId: COMPANY,
  requester: INTERNAL_CALLER,
  accept: undefined,
  acceptLanguage: 'en',
  prefer: 'maxpagesize=50000',
  caller,
}

async function odataAnswer(service: ObjectService, set: EntitySet, { odata }: Question): Promise<string> {
  const asked = { ...request, set, query: Object.entries(odata), metadataUrl: '', pageUrl: '' }
  const text = await textOf((await readPage(service, asked)).body)
  return text.slice(text.indexOf(',"value":') + ',"value":'.length, -1)
}

async function objectsAnswer(
  { store }: ObjectService,
  set: EntitySet,
  document: ServedDocument,
  asked: Question,
  world: World,
) {
  const definition = document.of(world)
  const plan = planCollection(definition, readOptions(Object.entries(asked.objects)))
  const scope = [[definition.companyColumn, COMPANY] as const, ...(set.document.scopeOf?.([], plan) ?? [])]
  const { body } = await answerCollection(store, {
    ...{ companyId: COMPANY, plan, scope, language: 'EN', format: 'json', caller: INTERNAL_CALLER, cap: 50_000 },
  })
  return asOData(await textOf(body))
}

describe.each(DOCUMENTS.map((document, at) => ({ name: `${document.name} (${at + 1})`, document, at })))(
  '$name',
  ({ document, at }) => {
    it('answers random questions in OData as those of its own language', async () => {
      for (const world of worlds) {
        const { store, companies, clock } = world.application.service
        const past = new PastAnswers({ store, companies, documents: () => [], work: new LongWork() })
        const service = { store, companies, clock, past }
        const definition = document.of(world)
        const set = setOf(document, world)
        const records = recordsOf(document.name, 'EN').map((row) => ({ ...row, ...document.fixed }))
        const described = { own: definition.properties, named: set.definition.properties, records }
        const questions = new RandomQuestions(randomNumbers(SEED + at), described)
        let found = 0
        for (let asked = 0; asked < QUESTIONS; asked++) {
          const question = questions.next()
          const [odata, objects] = await Promise.all([
            odataAnswer(service, set, question),
            objectsAnswer(service, set, document, question, world),
          ]).catch((error: unknown) => {
            throw new Error(`${JSON.stringify(question)} (seed ${SEED})`, { cause: error })
          })
          if (objects !== '[]') found += 1
          if (odata === objects) continue
          expect(alikeEverywhere(odata, 'json'), JSON.stringify(question)).toBe(alikeEverywhere(objects, 'json'))
        }
        // Questions that find nothing would prove nothing.
        expect(found).toBeGreaterThan(QUESTIONS / 10)
      }
    })
  },
)
