// Asks as a client does and looks at every answer: whether it holds what is somebody else's, and whether two questions
// that must not be told apart were answered alike, by the same statements.
import { expect } from 'vitest'
import type { SqlTap } from '../sql-tap.ts'
import type { Answer, Sent } from '../world.ts'
import { leaksIn, type SecretContents } from './canaries.ts'
import { COMPANIES, type Company } from './companies.ts'
import { type ApartWorld, SHARED } from './records.ts'

/** Of a document that a trial would make. */
const TRIED_ID = 'dddddddd-0000-4000-8000-000000000001'

export interface Asked extends Answer {
  /** Sorted: some run side by side. */
  readonly statements: readonly string[]
}

/** Two texts that stand for one another: what somebody else has, and what is nowhere. */
export type Alike = readonly (readonly [foreign: string, nowhere: string])[]

export class Asker {
  asked = 0
  readonly world: ApartWorld
  readonly #tap: SqlTap | undefined
  /** By company: contents that no other may see. */
  readonly #secrets = new Map<string, SecretContents>()

  constructor(world: ApartWorld, tap?: SqlTap) {
    this.world = world
    this.#tap = tap
  }

  /** Remembers contents that have no text to mark: the thumbnails of each company. */
  async learnSecrets(): Promise<void> {
    for (const { id } of COMPANIES) {
      const answer = await this.world.send({ as: `writer-${id}`, url: `/v1/documents/${SHARED.document}/thumbnail` })
      expect(answer.status).toBe(200)
      this.#secrets.set(id, [answer.json.fileContent])
    }
  }

  /** One question of somebody who may see these companies. Throws when the answer holds anything of another. */
  async ask(sent: Sent, mine: readonly Company[], newId = TRIED_ID): Promise<Asked> {
    this.asked += 1
    const { observed, nextIds } = this.world
    observed.length = 0
    nextIds.splice(0, nextIds.length, newId)
    const send = async () => {
      const answer = await this.world.send({ ...sent, headers: { 'x-request-id': 'same', ...sent.headers } })
      // Files are read for the search behind the back of requests; statements and the numbers of changes show it.
      if (sent.method === 'POST' && sent.url.startsWith('/v1/document')) await this.world.application.texts.settle()
      return answer
    }
    const { result, texts } = this.#tap ? await this.#tap.during(send) : { result: await send(), texts: [] }
    nextIds.length = 0
    const foreign = COMPANIES.filter((company) => !mine.includes(company))
    const leaks = leaksIn(sent, result, observed, foreign, this.#secretsOf(foreign))
    if (leaks.length > 0 || result.status >= 500) {
      throw new Error(
        `${told(sent)} is answered ${result.status} with ${leaks.join(', ')}: ${result.text.slice(0, 300)}`,
      )
    }
    return { ...result, statements: texts.sort() }
  }

  /** Two questions whose answers must be equal, byte by byte, but for what was sent; gives the status. */
  async askAlike(foreign: Sent, nowhere: Sent, alike: Alike, mine: readonly Company[]): Promise<number> {
    for (let tried = 1; ; tried++) {
      const [one, other] = [await this.ask(foreign, mine), await this.ask(nowhere, mine)]
      const [bytes, otherBytes] = [bytesOf(one, alike), bytesOf(other, alike)]
      requireEqual(foreign, bytes, otherBytes)
      const [path, otherPath] = [one.statements.join('\n'), other.statements.join('\n')]
      if (path === otherPath) return one.status
      // What is remembered of sizes and plans may run out between the two: then the next ones are alike.
      if (tried === 3) requireEqual(foreign, path, otherPath)
    }
  }

  #secretsOf(foreign: readonly Company[]): SecretContents {
    return foreign.flatMap(({ id }) => this.#secrets.get(id) ?? [])
  }
}

/** Throws with what stands where the two part. */
export function requireEqual(sent: Sent, one: string, other: string): void {
  if (one === other) return
  let at = 0
  while (one[at] === other[at]) at++
  const around = (text: string) => `...${text.slice(Math.max(0, at - 200), at + 200)}...`
  expect(`${told(sent)}\n${around(one)}`).toBe(`${told(sent)}\n${around(other)}`)
}

export function told({ as, method = 'GET', url, body }: Sent): string {
  return `${as ?? 'nobody'} ${method} ${url} ${JSON.stringify(body ?? '').slice(0, 300)}`
}

/** The whole answer as it goes out, with the same word for what was asked about. */
export function bytesOf({ status, headers, bytes }: Answer, alike: Alike = []): string {
  const { date: _date, etag, ...rest } = headers
  // The tag of a collection is made of versions that are drawn at random.
  const others = String(etag).startsWith('W/') ? { ...rest, etag: 'W/' } : { ...rest, etag }
  let text = `${status} ${JSON.stringify(others)}\n${bytes.toString('latin1')}`
  for (const [foreign, nowhere] of alike) {
    for (const name of [foreign, nowhere]) text = text.replaceAll(latin(name), '<it>').replaceAll(inJson(name), '<it>')
  }
  return text
}

const latin = (text: string) => Buffer.from(text).toString('latin1')
const inJson = (text: string) => latin(JSON.stringify(text).slice(1, -1))
