// A client that checks every answer: whether it discloses data of another company, and whether two requests that must
// be indistinguishable get the same answer, by the same statements.
import { expect } from 'vitest'
import type { SqlTap } from '../sql-tap.ts'
import type { Answer, Sent } from '../world.ts'
import { leaksIn, type SecretContents } from './canaries.ts'
import { COMPANIES, type Company } from './companies.ts'
import { type IsolationWorld, SHARED } from './records.ts'

/** The id of a document that a validation-only write would create. */
const TRIED_ID = 'dddddddd-0000-4000-8000-000000000001'

export interface ReceivedAnswer extends Answer {
  /** Sorted: some statements run concurrently. */
  readonly statements: readonly string[]
}

/** Pairs of equivalent texts: an id that another company has, and one that does not exist. */
export type Alike = readonly (readonly [foreign: string, nowhere: string])[]

export class IsolationClient {
  asked = 0
  readonly world: IsolationWorld
  readonly #tap: SqlTap | undefined
  /** By company: contents that no other company may read. */
  readonly #secrets = new Map<string, SecretContents>()

  constructor(world: IsolationWorld, tap?: SqlTap) {
    this.world = world
    this.#tap = tap
  }

  /** Records contents without text that could be marked: the thumbnails of each company. */
  async learnSecrets(): Promise<void> {
    for (const { id } of COMPANIES) {
      const answer = await this.world.send({ as: `writer-${id}`, url: `/v1/documents/${SHARED.document}/thumbnail` })
      expect(answer.status).toBe(200)
      this.#secrets.set(id, [answer.json.fileContent])
    }
  }

  /**
   * Sends a request of a caller with access to these companies. Throws when the answer discloses data of another one.
   */
  async ask(sent: Sent, mine: readonly Company[], newId = TRIED_ID): Promise<ReceivedAnswer> {
    this.asked += 1
    const { observed, nextIds } = this.world
    observed.length = 0
    nextIds.splice(0, nextIds.length, newId)
    const send = async () => {
      const answer = await this.world.send({ ...sent, headers: { 'x-request-id': 'same', ...sent.headers } })
      // Background text extraction would add statements and journal numbers to later answers.
      if (sent.method === 'POST' && sent.url.startsWith('/v1/document')) await this.world.application.texts.settle()
      return answer
    }
    const { result, texts } = this.#tap ? await this.#tap.during(send) : { result: await send(), texts: [] }
    nextIds.length = 0
    const foreign = COMPANIES.filter((company) => !mine.includes(company))
    const leaks = leaksIn(sent, result, observed, foreign, this.#secretsOf(foreign))
    if (leaks.length > 0 || result.status >= 500) {
      throw new Error(
        `${requestLine(sent)} is answered ${result.status} with ${leaks.join(', ')}: ${result.text.slice(0, 300)}`,
      )
    }
    return { ...result, statements: texts.sort() }
  }

  /** Sends two requests whose answers must be byte-equal apart from the sent ids; returns the status. */
  async requireAlike(foreign: Sent, nowhere: Sent, alike: Alike, mine: readonly Company[]): Promise<number> {
    for (let tried = 1; ; tried++) {
      const [one, other] = [await this.ask(foreign, mine), await this.ask(nowhere, mine)]
      const [bytes, otherBytes] = [bytesOf(one, alike), bytesOf(other, alike)]
      requireEqual(foreign, bytes, otherBytes)
      const [path, otherPath] = [one.statements.join('\n'), other.statements.join('\n')]
      if (path === otherPath) return one.status
      // Cached sizes and plans may expire between the two requests: then the next attempt is alike.
      if (tried === 3) requireEqual(foreign, path, otherPath)
    }
  }

  #secretsOf(foreign: readonly Company[]): SecretContents {
    return foreign.flatMap(({ id }) => this.#secrets.get(id) ?? [])
  }
}

/** Throws with the first difference. */
export function requireEqual(sent: Sent, one: string, other: string): void {
  if (one === other) return
  let at = 0
  while (one[at] === other[at]) at++
  const around = (text: string) => `...${text.slice(Math.max(0, at - 200), at + 200)}...`
  expect(`${requestLine(sent)}\n${around(one)}`).toBe(`${requestLine(sent)}\n${around(other)}`)
}

export function requestLine({ as, method = 'GET', url, body }: Sent): string {
  return `${as ?? 'nobody'} ${method} ${url} ${JSON.stringify(body ?? '').slice(0, 300)}`
}

/** The complete answer, with the same placeholder for the requested id. */
export function bytesOf({ status, headers, bytes }: Answer, alike: Alike = []): string {
  const { date: _date, etag, ...rest } = headers
  const body = withoutChance(bytes.toString('latin1'))
  if (body.length !== bytes.length) delete rest['content-length']
  // The ETag of a collection is derived from random versions.
  const others = String(etag).startsWith('W/') ? { ...rest, etag: 'W/' } : { ...rest, etag }
  let text = `${status} ${JSON.stringify(others)}\n${body}`
  for (const [foreign, nowhere] of alike) {
    for (const name of [foreign, nowhere]) text = text.replaceAll(latin(name), '<it>').replaceAll(inJson(name), '<it>')
  }
  return text
}

/** The last characters of a cursor prove that it was made with the random key of its database. */
const PROOF_OF_CURSOR = /("next":"[\w-]{44})[\w-]{22}"/g

/** Secrets are random, and a receiver answers when it does. */
function withoutChance(body: string): string {
  return body
    .replaceAll(/"secret":"[^"]*"/g, '')
    .replaceAll(/"ms":\d+/g, '')
    .replaceAll(PROOF_OF_CURSOR, '$1"')
}

const latin = (text: string) => Buffer.from(text).toString('latin1')
const inJson = (text: string) => latin(JSON.stringify(text).slice(1, -1))
