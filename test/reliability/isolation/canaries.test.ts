// T2: each company's texts, numbers, file names, contents and thumbnails carry its mark. The answers, headers and
// statements of all operations are searched for marks of other companies, and compared with those of a world in which
// the company is alone. (The answers of T1's matrix are searched too.) T4 checks the statements of the same requests.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tablesWithoutCompany } from '../../support/company-predicates.ts'
import { markIn } from '../../support/isolation/canaries.ts'
import { KOPPER } from '../../support/isolation/companies.ts'
import { OPEN } from '../../support/isolation/operations.ts'
import { SideBySide } from '../../support/isolation/side-by-side.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { SqlTap } from '../../support/sql-tap.ts'
import { FEWER_KINDS } from '../../support/world.ts'

const STEPS = triesOf({ smoke: 30, long: 150, full: 5_000 })

describe.each(FEWER_KINDS)('T2 canaries and T4 statements on %s', (kind) => {
  let tap: SqlTap
  beforeAll(() => {
    tap = new SqlTap()
  })
  afterAll(() => tap.stop())

  it('T2 discloses nothing of other companies, whatever they do', { timeout: 600_000 }, async () => {
    await reliabilityTest('T2', `a company beside others and alone on ${kind}`, async () => {
      const worlds = await SideBySide.start(kind, tap)
      try {
        const silent = await worlds.rowsOfSilent()
        expect(silent.length).toBeGreaterThan(20)
        await worlds.sweep()
        const random = randomNumbers(SEED)
        for (let step = 0; step < STEPS; step++) await worlds.randomStep(random)
        for (const operation of OPEN) await askOpen(worlds, operation)
        expect(await worlds.rowsOfSilent()).toEqual(silent)
        expect(worlds.replays).toBeGreaterThan(0)
        return `${worlds.steps} steps, ${worlds.replays} answers given again, ${worlds.alone.asked + worlds.shared.asked} answers searched`
      } finally {
        await worlds.stop()
      }
    })
  })

  it('T4 restricts every table of records to a company, in every statement of these requests', async () => {
    await reliabilityTest('T4', `statements on ${kind}`, async () => {
      const texts = [...tap.texts]
      expect(texts.length).toBeGreaterThan(150)
      expect(texts.filter((text) => /\bsetup_item\b/.test(text))).toEqual([])
      const wrong = texts.flatMap((text) => tablesWithoutCompany(text).map((table) => `${table} in ${text}`))
      expect(wrong.slice(0, 5)).toEqual([])
      return `${texts.length} different statements`
    })
  })
})

/** Requests that need no credentials. */
async function askOpen({ shared }: SideBySide, operation: (typeof OPEN)[number]): Promise<void> {
  const [method, url = ''] = operation.split(' ') as ['GET' | 'POST', string]
  const answer = await shared.ask({ method, url, ...(method === 'POST' ? { body: {} } : {}) }, [])
  expect(answer.status).toBeLessThan(500)
}

it('T2 finds a mark in every encoding', () => {
  const { mark, number } = KOPPER
  for (let shift = 0; shift < 9; shift++) {
    const around = 'x'.repeat(shift)
    expect(markIn(Buffer.from(`${around}${mark}${around}`).toString('base64'), KOPPER)).toBeDefined()
    expect(markIn(Buffer.from(`${around}${number}${around}`).toString('base64'), KOPPER)).toBeDefined()
  }
  for (const written of [mark, mark.toUpperCase(), encodeURIComponent(mark), mark.replace(' ', '+'), `"${number}.5"`]) {
    expect(markIn(`before ${written} behind`, KOPPER)).toBeDefined()
  }
  expect(markIn('jasper canary 414213562 kopper granit canary', KOPPER)).toBeUndefined()
})
