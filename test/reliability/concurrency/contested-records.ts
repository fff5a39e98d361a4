// Records that clients create, change, read and delete concurrently, each with a model of its sequential behaviour.
import type { KeepAliveClient, ReceivedAnswer, SentRequest } from '../../support/keep-alive-client.ts'
import type { Model } from '../../support/linearizable.ts'
import { done } from './race.ts'
import { customers, documents, get, patch, post, relations, remove, values } from './records.ts'

export interface Input {
  readonly op: 'post' | 'patch' | 'reopen' | 'get' | 'delete'
  /** The written text: a number that no other operation of the history writes. */
  readonly text: string
}

export interface ContestedRecord extends Model<Input> {
  readonly name: string
  readonly ops: readonly Input['op'][]
  /** Creates what this many records need before they can be created; returns their addresses or keys. */
  prepare(client: KeepAliveClient | undefined, prefix: string, count: number): Promise<readonly string[]>
  ask(key: string, input: Input): SentRequest
  /** The answer in terms of the model: its status, and the state where the answer has it. */
  outputOf(answer: ReceivedAnswer): string
}

const ABSENT = ''
const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

/** The state as one text, or an empty one where the answer has none. */
function shown({ status, text }: ReceivedAnswer, stateOf: (record: never) => string): string {
  return status < 300 && text !== '' ? `${status} ${stateOf(JSON.parse(text) as never)}` : String(status)
}

/** A deleted relation is gone and can be created again. */
const relation: ContestedRecord = {
  name: 'relation',
  ops: ['post', 'patch', 'get', 'delete'],
  initial: ABSENT,
  apply(state, { op, text }) {
    if (op === 'post') return state === ABSENT ? { state: text, output: `201 ${text}` } : { state, output: '422' }
    if (state === ABSENT) return { state, output: '404' }
    if (op === 'patch') return { state: text, output: `200 ${text}` }
    return op === 'delete' ? { state: ABSENT, output: '200' } : { state, output: `200 ${state}` }
  },
  async prepare(client, prefix, count) {
    await done(client, post(values.all, values.body(prefix)), 201)
    return numbered('D', count).map((related) => `${prefix} ${related}`)
  },
  ask(key, { op, text }) {
    const [value = '', related = ''] = key.split(' ')
    const path = relations.at(value, related)
    if (op === 'post') return post(relations.all, relations.body(value, related, Number(text)))
    if (op === 'patch') return patch(path, 'replace', '/percentage', Number(text))
    return op === 'delete' ? remove(path) : get(path)
  },
  outputOf: (answer) => shown(answer, ({ percentage }: { percentage: number }) => String(percentage)),
}

/** DELETE closes the record, and a patch reopens it; it is never created twice. */
function closable(open: string, closed: string, duplicate: string): Model<Input>['apply'] {
  return (state, { op, text }) => {
    if (op === 'post') {
      const created = `${open} ${text}`
      return state === ABSENT ? { state: created, output: `201 ${created}` } : { state, output: duplicate }
    }
    if (state === ABSENT) return { state, output: '404' }
    const [status, written] = state.split(' ')
    if (op === 'delete') return { state: `${closed} ${written}`, output: '200' }
    const after = { get: state, patch: `${status} ${text}`, reopen: `${open} ${written}` }[op]
    return { state: after, output: `200 ${after}` }
  }
}

const value: ContestedRecord = {
  name: 'value',
  ops: ['post', 'patch', 'reopen', 'get', 'delete'],
  initial: ABSENT,
  apply: closable('N', 'C', '409'),
  prepare: async (_client, prefix, count) => numbered(prefix, count),
  ask(key, { op, text }) {
    if (op === 'post') return post(values.all, values.body(key, { description: text }))
    if (op === 'patch') return patch(values.at(key), 'replace', '/description', text)
    if (op === 'reopen') return patch(values.at(key), 'replace', '/status', 'N')
    return op === 'delete' ? remove(values.at(key)) : get(values.at(key))
  },
  outputOf: (answer) =>
    shown(answer, (record: { status: string; description: string }) => `${record.status} ${record.description}`),
}

const customer: ContestedRecord = {
  name: 'customer',
  ops: ['post', 'patch', 'reopen', 'get', 'delete'],
  initial: ABSENT,
  apply: closable('Active', 'Closed', '400'),
  prepare: async (_client, prefix, count) => numbered(prefix, count),
  ask(key, { op, text }) {
    if (op === 'post') return post(customers.all, customers.body(key, { aliasName: text }))
    if (op === 'patch') return patch(customers.at(key), 'replace', '/aliasName', text)
    if (op === 'reopen') return patch(customers.at(key), 'replace', '/payment/status', 'Active')
    return op === 'delete' ? remove(customers.at(key)) : get(customers.at(key))
  },
  outputOf: (answer) =>
    shown(
      answer,
      (record: { payment: { status: string }; aliasName: string }) => `${record.payment.status} ${record.aliasName}`,
    ),
}

/** The document exists from the start; deleted, it can be read but not changed. */
const document: ContestedRecord = {
  name: 'document',
  ops: ['patch', 'get', 'delete'],
  initial: 'N begun',
  apply(state, { op, text }) {
    const [status, title] = state.split(' ')
    if (op === 'get') return { state, output: `200 ${state}` }
    if (op === 'delete') return { state: `T ${title}`, output: '200' }
    return status === 'N' ? { state: `N ${text}`, output: '200' } : { state, output: '422' }
  },
  prepare: (client, _prefix, count) =>
    Promise.all(
      Array.from(
        { length: count },
        async () => (await done(client, post(documents.all, documents.body('begun')), 201)).id,
      ),
    ),
  ask(id, { op, text }) {
    if (op === 'patch') return patch(documents.at(id), 'replace', '/title', text)
    return op === 'delete' ? remove(documents.at(id)) : get(documents.at(id))
  },
  outputOf: (answer) =>
    shown(answer, (record: { status: string; title: string }) => `${record.status} ${record.title}`),
}

export const CONTESTED_RECORDS: readonly ContestedRecord[] = [relation, value, customer, document]
