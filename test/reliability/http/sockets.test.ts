// H2: malformed requests on a socket. Only what a strict parser takes for a request is executed, each has one answer,
// and every answer is one of the contract or the connection is closed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, credentials, kill, rowsOf, SETUP, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { readAnswers, shapeFault } from '../../support/sockets/answers.ts'
import { TEMPLATES, type Template } from '../../support/sockets/corpus.ts'
import { type Exchanged, exchange, type Script } from '../../support/sockets/exchange.ts'
import { type Framing, framingOf } from '../../support/sockets/framing.ts'
import { changed, inChunks } from '../../support/sockets/mutations.ts'

/** Instances of each template: as it stands, and mutated. */
const WRITINGS = triesOf({ long: 9, full: 200 })
const AT_ONCE = 32
const ADDRESSES = 8
/** Methods that are answered before their bodies, which are not read, have arrived. */
const READ = ['GET', 'HEAD', 'OPTIONS']

interface Case {
  readonly template: Template
  readonly number: number
  readonly script: Script
}

describe('H2 malformed requests on a socket', () => {
  const folder = temporaryFolder()
  const found: string[] = []
  /** Keys that were sent in a request. */
  const asked = new Set<string>()
  /** For each of those, whether the latest answer said that the record was created. */
  const isMade = new Map<string, boolean>()
  const statuses = new Map<string, number>()
  let service: Serving

  beforeAll(async () => {
    service = await serve(['--data', folder.path, '--setup', SETUP])
  })
  afterAll(async () => {
    await kill(service)
    folder.remove()
  })

  it('H2 no byte outside a request is executed, and each request is answered once', { timeout: 600_000 }, () =>
    reliabilityTest('H2', 'bytes on a socket', async () => {
      const cases = allCases()
      const before = keysIn(folder.path)
      await Promise.all(Array.from({ length: AT_ONCE }, (_one, at) => tryAll(cases, at % ADDRESSES)))
      for (const key of keysIn(folder.path)) {
        if (before.has(key)) continue
        if (!asked.has(key)) found.push(`${key} was carried out, and stood in no request`)
        if (isMade.get(key) === false) found.push(`${key} was carried out, and answered with a refusal`)
      }
      expect(found).toEqual([])
      expect(service.child.exitCode).toBeNull()
      expect((await call(`${service.address}/v1/attribute-values/C6/OSLO/0`)).status).toBe(200)
      const counts = [...statuses].sort().map(([status, count]) => `${count} ${status}`)
      return `${TEMPLATES.length} templates, ${TEMPLATES.length * WRITINGS} connections, ${counts.join(', ')}`
    }),
  )

  /** Takes one case after the other until none is left. */
  async function tryAll(cases: Iterator<Case>, address: number): Promise<void> {
    for (let next = cases.next(); !next.done; next = cases.next()) await attempt(next.value, `127.0.0.${address + 2}`)
  }

  async function attempt(one: Case, localAddress: string): Promise<void> {
    const framing = framingOf(Buffer.concat(one.script.pieces))
    const { requests, rest } = framing
    const methods = methodsOf(framing)
    const isComplete = (received: string) => {
      const { answers } = readAnswers(received, methods)
      // Nobody has to answer what follows a wish to upgrade.
      if (answers.length > 0 && one.template.expected === 'either') return 'maybe'
      if (answers.length < requests.length) return 'no'
      return rest === 'malformed' ? 'maybe' : 'yes'
    }
    const told = await exchange(Number(new URL(service.address).port), localAddress, one.script, isComplete)
    const fault = faultOf(one, framing, told)
    if (fault) found.push(`${one.template.name}, writing ${one.number}: ${fault}\n${shown(one)}\n-> ${told.received}`)
    const { answers } = readAnswers(told.received, methods)
    for (const [at, { body }] of requests.entries()) note(body, answers[at]?.status)
    for (const status of answers.length > 0 ? answers.map(({ status }) => String(status)) : ['closed']) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }

  /** Records the key in a creating body and its answer; without an answer nothing is known. */
  function note(body: string, status: number | undefined): void {
    for (const [, text = ''] of Buffer.from(body, 'latin1')
      .toString()
      .matchAll(/"([^"]*)"/g)) {
      const key = text.trim()
      asked.add(key)
      if (status !== undefined && isMade.get(key) !== true) isMade.set(key, status < 400)
    }
  }
})

/** The first instance of each template is unchanged; the seed decides the others. */
function* allCases(): Generator<Case, undefined> {
  const random = randomNumbers(SEED)
  let made = 0
  for (let number = 0; number < WRITINGS; number++) {
    for (const template of TEMPLATES) {
      const digits = String(made++).padStart(5, '0')
      const text = template.write({ outer: `V${digits}`, hidden: `H${digits}` })
      yield { template, number, script: scriptOf(template, number, text, random) }
    }
  }
}

function scriptOf({ isCutBy }: Template, number: number, text: string, random: () => number): Script {
  if (isCutBy) {
    const at = Math.ceil((number / WRITINGS) * text.length)
    return { pieces: [Buffer.from(text.slice(0, at))], afterwards: isCutBy }
  }
  if (number === 0) return { pieces: [Buffer.from(text, 'latin1')], afterwards: 'wait' }
  return { pieces: inChunks(changed(text, random), random), afterwards: 'wait' }
}

function faultOf(
  { template, number, script }: Case,
  framing: Framing,
  { received, isBroken, isHung }: Exchanged,
): string | undefined {
  const { requests, begun, rest } = framing
  const methods = methodsOf(framing)
  const { answers, left, fault } = readAnswers(received, methods)
  if (isHung) return 'the connection stayed open'
  if (fault) return fault
  if (left !== '' && !isBroken) return 'the last answer is cut off'
  if (answers.length > requests.length + (rest === 'none' ? 0 : 1)) return 'there are more answers than requests'
  for (const [at, answer] of answers.entries()) {
    const request = requests[at]
    const isTaken = answer.status < 400
    if (answer.status >= 500) return `the status is ${answer.status}`
    if (isTaken && !request && !(begun?.isSound && READ.includes(begun.method)))
      return 'what is no request was carried out'
    const misshapen = shapeFault(answer, methods[at] ?? '')
    if (misshapen) return misshapen
    if (answer.isLast && at < answers.length - 1) return 'an answer follows the last one'
  }
  if (number > 0 || script.afterwards !== 'wait' || template.expected === 'either') return undefined
  const isTaken =
    answers.length > 0 && answers.length === requests.length && answers.every(({ status }) => status < 400)
  const wanted = template.expected === 'taken'
  // Requests in front of the malformed one may be accepted.
  if (!wanted) return answers.length > 0 && (answers.at(-1)?.status ?? 0) < 400 ? 'it was not refused' : undefined
  return isTaken ? undefined : 'it was not taken'
}

function methodsOf({ requests, begun }: Framing): string[] {
  const methods = requests.map(({ method }) => method)
  return begun === undefined ? methods : [...methods, begun.method]
}

function keysIn(folder: string): Set<string> {
  return new Set(rowsOf(folder, 'select attribute_value as key from attribute_value').map(({ key }) => String(key)))
}

function shown({ script }: Case): string {
  const text = JSON.stringify(Buffer.concat(script.pieces).toString('latin1').replaceAll(credentials, '(credentials)'))
  return text.length > 1_500 ? `${text.slice(0, 1_000)} ... ${text.slice(-400)}` : text
}
