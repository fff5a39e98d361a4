// Before anything is measured: every subject must do the same work.
import { isDeepStrictEqual } from 'node:util'
import { SERVED } from './cast.ts'
import { COUNT_HEADER } from './floors/handler.ts'
import type { Subject } from './subject.ts'
import type { Request, Workload } from './workloads/workload.ts'

/** What differs by its nature: the time of a change, and ids that are made up. */
const OWN = new Set(['updatedAt', 'updatedBy', 'id'])

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Requests of a kind that are tried until one finds something. */
const TRIES = 50

/** Throws when one request is not answered alike by all, or a collection stays empty. */
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
  if (!first) throw new Error('nobody was asked')
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
  return { status: answer.status, body: JSON.parse(text, (name, value) => (OWN.has(name) ? '' : value)) }
}

function differs({ name }: Workload, subject: Subject, expected: Answer, found: Answer): Error {
  const [one, other] = [expected, found].map((answer) => JSON.stringify(answer).slice(0, 1_500))
  return new Error(`${name} is answered otherwise by the ${subject.name}:\n${one}\n${other}`)
}
