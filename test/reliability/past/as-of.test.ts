// P1: an answer with `asOf` is the answer that was given then, byte for byte: of single records, collections, lists and
// counts, in every form and for callers with and without rules.
import { expect, it } from 'vitest'
import { type Question, randomQuestion } from '../../support/past/random-questions.ts'
import { RandomWrites } from '../../support/past/random-writes.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { startRuled } from '../../support/ruled-records.ts'
import { type Answer, onEachStore, type World } from '../../support/world.ts'

const WRITES = triesOf({ long: 150, full: 10_000 })
/** Answers that are remembered after each write. */
const QUESTIONS = 2
/** Remembered answers that are asked for again. */
const CHECKS = triesOf({ long: 150, full: 4_000 })

interface Remembered {
  readonly question: Question
  readonly number: number
  readonly answer: string
}

const told = ({ status, text, headers }: Answer) => JSON.stringify([status, text, headers['x-erp-total-count'] ?? ''])

/** The number of the last change, which answers that are given again from the cache do not know. */
async function currentNumber(world: World): Promise<number> {
  const [row] = await world.query("select head_no from journal_counter where company_id = 'EN'")
  return Number(row?.head_no)
}

onEachStore(
  'P1: the past',
  (world) => {
    it('P1 an answer of the past is the answer of then', { timeout: 3_600_000 }, () =>
      reliabilityTest('P1', `answers of the past on ${world().kind}`, async () => {
        const random = randomNumbers(SEED)
        const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
        const writes = new RandomWrites(random)
        const remembered: Remembered[] = []
        let done = 0
        for (let at = 0; at < WRITES; at++) {
          const sent = writes.next()
          const { status, json } = await world().send({ as: 'admin', ...sent })
          expect([status < 500, sent]).toEqual([true, sent])
          if (status < 300) done += 1
          if (status === 201 && sent.url === '/v1/documents') writes.note(json.id)
          const number = await currentNumber(world())
          for (let more = 0; more < QUESTIONS; more++) {
            const question = randomQuestion(pick)
            remembered.push({ question, number, answer: told(await world().send(question)) })
          }
        }
        for (let at = 0; at < CHECKS; at++) {
          const { question, number, answer } = pick(remembered)
          const url = `${question.url}${question.url.includes('?') ? '&' : '?'}asOf=${number}`
          const again = await world().send({ ...question, url })
          expect([url, question.as, told(again)]).toEqual([url, question.as, answer])
        }
        return `${WRITES} writes (${done} accepted), ${CHECKS} answers of ${remembered.length}`
      }),
    )
  },
  startRuled,
)
