// One sequence of calls: the records that it has created, the requests that it has sent, and the checks of every
// answer.
import type { Answer, World } from '../world.ts'
import { answerFaults } from './answer-faults.ts'
import { Chance } from './chance.ts'
import type { DescribedOperation, Description } from './description.ts'
import type { Json } from './legal-body.ts'
import { type DeclaredSets, declaredSets } from './odata/entity-sets.ts'
import { rowFaults } from './odata/row-faults.ts'

export interface FuzzRequest {
  /** Absent: the address or the method belongs to no operation. */
  readonly operation: DescribedOperation | undefined
  readonly method: string
  readonly url: string
  /** A client of the setup; absent: no credentials are sent. */
  readonly as?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  /** The expected statuses; empty: any that is described. */
  readonly expected: readonly number[]
  /** What the request tests. */
  readonly what: string
}

/** A record that the sequence has created. */
export interface Made {
  readonly resource: string
  /** The values of the parameters of its path. */
  readonly params: Readonly<Record<string, string>>
  isDeleted: boolean
  revisions: number
}

/** Coverage of all sequences of a run: operation -> statuses, and how long answers took. */
export class Reached {
  readonly statuses = new Map<string, Set<number>>()
  requests = 0
  slowestMs = 0
  slowest = ''

  note({ operation, method, url }: FuzzRequest, status: number, tookMs: number): void {
    this.requests++
    if (tookMs > this.slowestMs) [this.slowestMs, this.slowest] = [tookMs, `${method} ${url.slice(0, 80)}`]
    if (!operation) return
    const known = this.statuses.get(operation.id) ?? new Set()
    this.statuses.set(operation.id, known.add(status))
  }
}

export class Session {
  readonly made: Made[] = []
  chance = new Chance(0)
  readonly description: Description
  readonly #world: World
  readonly #reached: Reached
  readonly #sent: string[] = []

  constructor(world: World, description: Description, reached: Reached) {
    this.#world = world
    this.description = description
    this.#reached = reached
  }

  /** The entity sets of OData. */
  declaredSets(): Promise<DeclaredSets> {
    return declaredSets(this.#world)
  }

  /** Restarts the random generator: a step's choices do not depend on those of earlier steps. */
  reseed(entropy: number): void {
    this.chance = new Chance(entropy)
  }

  /**
   * Sends a request. Throws, with all calls of the sequence, when the answer violates the description or the
   * expectation.
   */
  async send(asked: FuzzRequest): Promise<Answer> {
    const { operation, method, url, as, headers, body, expected, what } = asked
    this.#sent.push(lineOf(asked))
    const began = performance.now()
    const answer = await this.#world.send({
      method: method as 'GET',
      url,
      ...(as === undefined ? {} : { as }),
      ...(headers ? { headers } : {}),
      ...(body === undefined ? {} : { body }),
    })
    this.#reached.note(asked, answer.status, performance.now() - began)
    const faults = [
      ...answerFaults(this.description, operation, method, answer, {
        validateOnly: /validateOnly=true/i.test(url),
        // Blanks are no moment.
        isPast: /[?&](?:\$|%24)?asof=(?:%20)*(?!%20)[^&]/i.test(url),
      }),
      ...(url.startsWith('/odata/') ? rowFaults(await this.declaredSets(), url, answer) : []),
      ...(expected.length === 0 || expected.includes(answer.status)
        ? []
        : [`${what}: ${answer.status} instead of ${expected.join(' or ')}`]),
    ]
    if (faults.length > 0) {
      const sequence = this.#sent
        .slice(-12)
        .map((line) => `  ${line}`)
        .join('\n')
      throw new Error(`${faults.join('\n')}\n${sequence}\n  -> ${answer.status} ${answer.text.slice(0, 600)}`)
    }
    return answer
  }

  /** Remembers the record that a 201 has created. */
  keep(resource: string, names: readonly string[], record: Json): Made {
    const params = Object.fromEntries(names.map((name) => [name, String(record[name])]))
    const made: Made = { resource, params, isDeleted: false, revisions: 1 }
    this.made.push(made)
    return made
  }
}

function lineOf({ method, url, as, headers, body }: FuzzRequest): string {
  const shown =
    body === undefined ? '' : typeof body === 'string' ? body : Buffer.isBuffer(body) ? '(bytes)' : JSON.stringify(body)
  const caller = as === undefined ? '' : ` as ${as}`
  return `${method} ${url.slice(0, 300)}${caller} ${headers ? JSON.stringify(headers).slice(0, 200) : ''} ${shown.slice(0, 500)}`
}
