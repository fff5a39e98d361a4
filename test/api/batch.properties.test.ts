// Laws of batches, on random operations: a batch is what its operations are one after the other, and a group is all of
// them or nothing.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type Answered,
  type Asked,
  answersOf,
  CONTINUE,
  creating,
  describing,
  sendBatch,
  urlOf,
  VALUES,
} from '../support/batch.ts'
import { onEachStore, type Sent, type World } from '../support/world.ts'

/** What an operation does to one of few values, whose names begin with a prefix. */
type Make = (prefix: string) => Asked

const name = fc.constantFrom('A', 'B', 'C')
const operation: fc.Arbitrary<Make> = fc.oneof(
  name.map((value) => (prefix: string) => creating(prefix + value)),
  name.map((value) => (prefix: string) => describing(prefix + value, `By ${value}`)),
  name.map((value) => (prefix: string) => ({ url: urlOf(prefix + value) })),
  name.map((value) => (prefix: string) => ({ method: 'DELETE' as const, url: urlOf(prefix + value) })),
  fc.constant((prefix: string) => ({ url: `${VALUES}/C1?$filter=startswith(attributeValue,'${prefix}')` })),
  name.map((value) => (prefix: string) => ({
    method: 'PATCH' as const,
    url: urlOf(prefix + value),
    body: [
      { op: 'add', path: '/relatedValues/-', value: { relationId: 'REL1', relatedValue: value === 'A' ? '100' : '9' } },
    ],
  })),
  fc.constant(() => ({ method: 'POST' as const, url: VALUES, body: { attributeId: 'C1', owner: 'nobody' } })),
)
const RUNS = 15
let prefixes = 0

/** The status and the body of an answer, in which every value has the same prefix. */
const seen = (prefix: string, { status, body }: Pick<Answered, 'status' | 'body'>) =>
  JSON.stringify([status, body ?? null]).replaceAll(prefix, 'prefix-')

async function singly(world: World, asked: Asked): Promise<Pick<Answered, 'status' | 'body'>> {
  const { status, json } = await world.send({ as: 'integration', ...(asked as Omit<Sent, 'as'>) })
  return { status, body: json }
}

onEachStore('Random batches', (world) => {
  const answered = (requests: readonly Asked[]) => answersOf(sendBatch(world(), requests, CONTINUE))
  const state = (prefix: string) =>
    singly(world(), { url: `${VALUES}/C1?$filter=startswith(attributeValue,'${prefix}')` })

  it('answer and leave what their operations do one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (makes) => {
        const [together, alone] = [`T${++prefixes}X`, `S${prefixes}X`]
        const answers = await answered(makes.map((make) => make(together)))
        for (const [at, make] of makes.entries()) {
          const single = await singly(world(), make(alone))
          expect(seen(together, answers[at] as Answered)).toBe(seen(alone, single))
        }
        expect(seen(together, await state(together))).toBe(seen(alone, await state(alone)))
      }),
      { numRuns: RUNS },
    )
  })

  it('do a group as a batch of its operations, if none of them fails, and otherwise leave nothing of it', async () => {
    const isCollection = ({ url }: Asked) => url.includes('$filter')
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 6 }), async (makes) => {
        const [grouped, alone] = [`G${++prefixes}X`, `U${prefixes}X`]
        const members = makes.map((make) => make(grouped)).filter((asked) => !isCollection(asked))
        const singles = makes.map((make) => make(alone)).filter((asked) => !isCollection(asked))
        const before = await world().dump()
        const answers = await answered(members.map((asked) => ({ ...asked, atomicityGroup: 'g' })))
        const failed = answers.filter(({ status }) => status >= 400)
        if (failed.length > 0) {
          expect(failed).toHaveLength(members.length)
          expect(failed.filter(({ status }) => status !== 424)).toHaveLength(1)
          expect(await world().changesSince(before)).toEqual([])
        }
        for (const [at, asked] of singles.entries()) {
          const single = await singly(world(), asked)
          const inGroup = answers[at] as Answered
          if (inGroup.status !== 424) expect(seen(grouped, inGroup)).toBe(seen(alone, single))
          // Behind the first that fails, single requests go on.
          if (inGroup.status >= 400 && inGroup.status !== 424) break
        }
        if (failed.length === 0) expect(seen(grouped, await state(grouped))).toBe(seen(alone, await state(alone)))
      }),
      { numRuns: RUNS },
    )
  })
})
