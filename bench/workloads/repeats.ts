// Repeated reads of all clients while nothing changes.
import { SERVED } from '../cast.ts'
import { QUESTIONS } from '../questions/all.ts'
import type { Question } from '../questions/question.ts'
import { Random } from '../records/random.ts'
import type { Scale } from '../records/scale.ts'
import { type Request, requestOf, type Workload } from './workload.ts'

const ASKED = /^(single GET|ledger: account eq|customers: of a country|values: a range|ledger: count)/
const SEED = 4242

export function repeats(scale: Scale): Workload[] {
  const asked = QUESTIONS.filter(({ name }) => ASKED.test(name))
  return asked.flatMap((question) => {
    const request = requestOf(question, new Random(SEED), scale)
    return [repeated(question, request), unchanged(question, request)]
  })
}

const repeated = ({ name }: Question, request: Request): Workload => ({
  name: `repeat: ${name}`,
  writes: false,
  next: () => request,
})

/** Requests with the current entity tag, answered 304. The floors have no tags. */
function unchanged({ name }: Question, { service, floor }: Request): Workload {
  let headers = {}
  return {
    name: `not modified: ${name}`,
    writes: false,
    only: SERVED,
    status: 304,
    prepare: async ({ address }, token) => {
      const authorised = { authorization: `Bearer ${token}` }
      const answer = await fetch(address + service.path, { method: service.method, headers: authorised })
      await answer.arrayBuffer()
      const tag = answer.headers.get('etag')
      if (tag === null) return 'no ETag is answered'
      headers = { 'if-none-match': tag }
      return undefined
    },
    next: () => ({ service: { ...service, headers }, floor }),
  }
}
