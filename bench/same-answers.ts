// Checks before a measurement that all subjects answer alike, so that they do the same work.
import { isDeepStrictEqual } from 'node:util'
import { SERVED } from './cast.ts'
import { COUNT_HEADER } from './floors/handler.ts'
import type { Subject } from './subject.ts'
import type { Request, Workload } from './workloads/workload.ts'

/** Members that always differ: the time of a change, and generated ids. */
const OWN = new Set(['updatedAt', 'updatedBy', 'id'])

/** A field that is new in the service is empty, and the others need not have it. */
const EMPTY: ReadonlySet<unknown> = new Set(['', 0, false])

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** The number of requests that are sent until one finds a record. */
const TRIES = 50

/** Throws when the subjects answer a request differently, or when every collection is empty. */
export async function requireSameAnswers(
  subjects: readonly Subject[],
  workload: Workload,
  token: string,
): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    const answer = await commonAnswer(subjects, workload, token)
    if (answer.status === workload.status) return
    if (answer.status >= 300) break
    if (!Array.isArray(answer.body) || answer.body.length > 0) return
  }
  throw new Error(`${workload.name} finds nothing`)
}

async function commonAnswer(subjects: readonly Subject[], workload: Workload, token: string): Promise<Answer> {
  const request = workload.next()
  let first: Answer | undefined
  for (const subject of subjects) {
    const answer = await answerOf(subject, request, token)
    first ??= answer
    if (!isDeepStrictEqual(answer, first)) throw differs(workload, subject, first, answer)
  }
  if (!first) throw new Error('there is no subject')
  return first
}

async function answerOf(subject: Subject, request: Request, token: string): Promise<Answer> {
  const { method, path, body, headers } = subject.name === SERVED ? request.service : request.floor
  const answer = await fetch(subject.address + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  })
  const text = await answer.text()
  if (answer.status === 304) return { status: 304, body: undefined }
  if (method === 'HEAD') return { status: answer.status, body: answer.headers.get(COUNT_HEADER) }
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return { status: answer.status, body: text }
  return {
    status: answer.status,
    body: JSON.parse(text, (name, value) => (OWN.has(name) || EMPTY.has(value) ? undefined : value)),
  }
}

function differs({ name }: Workload, subject: Subject, expected: Answer, found: Answer): Error {
  const [one, other] = [expected, found].map((answer) => JSON.stringify(answer).slice(0, 1_500))
  return new Error(`${name} is answered differently by the ${subject.name}:\n${one}\n${other}`)
}
