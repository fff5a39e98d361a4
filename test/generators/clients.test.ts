// Three generators make clients of the description; with each the calls of guides/start/tutorial.md compile and are answered as it prints.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Demo, startDemo } from '../support/demo.ts'
import { missingIn } from '../support/printed-answer.ts'
import { compile, generate, install, SESSIONS, sessionFile } from './generate.ts'
import type { Options, Session } from './sessions/session.ts'

const tutorial = readFileSync('guides/start/tutorial.md', 'utf8')
/** The answer printed below each block of calls, where there is one, with `…` for what is left out. */
const printed = [...tutorial.matchAll(/```bash\n[^`]*```\s*(?:```json\n([^`]*)```)?/g)].map(([, json]) => json?.trim())

/** Which answer of a session is that of each block. Fewer lines of the ledger are served here. */
const BLOCKS = [
  'token',
  'costCentres',
  'ledger',
  'costCentre',
  'created',
  'refused',
  'changed',
  'supplier',
  'debts',
  'rate',
  'contracts',
  'lease',
] as const
const OF_THE_LEDGER: readonly string[] = ['ledger', 'debts']
const TUTORIAL_VALUE = '2095'
const TUTORIAL_SUPPLIER = '20905'

let demo: Demo

beforeAll(async () => {
  await install()
  demo = await startDemo(2_000)
  await generate(await (await fetch(`${demo.address}/openapi.json`)).text(), demo.address)
  await compile()
})
afterAll(() => demo?.stop())

it('there is a call in each session for every block of the tutorial', () => {
  expect(printed.length).toBe(BLOCKS.length)
})

it.each(SESSIONS)(
  'the client of %s compiles with the calls of the tutorial, and is answered as it prints',
  async (name) => {
    const { session } = (await import(sessionFile(name))) as {
      session(options: Options): Promise<Session>
    }
    const newValue = `20${96 + SESSIONS.indexOf(name)}`
    const newSupplier = `${20_906 + SESSIONS.indexOf(name)}`
    const answers = await session({ address: demo.address, newValue, newSupplier })
    for (const [at, block] of BLOCKS.entries()) {
      if (OF_THE_LEDGER.includes(block) || printed[at] === undefined) continue
      const text = JSON.stringify(answers[block])
        .replaceAll(newValue, TUTORIAL_VALUE)
        .replaceAll(newSupplier, TUTORIAL_SUPPLIER)
      expect([block, missingIn(text, printed[at])]).toEqual([block, undefined])
    }
    expect(answers).toMatchObject({
      token: expect.stringMatching(/^ey/),
      ledger: expect.any(Array),
      debts: expect.any(Array),
      lease: '%PDF',
      customer: { name: `Lyngheim ${name}`, country: 'Norway', zone: 'NORTH' },
    })
  },
)
