// A subscription as it is answered, and as the journal has it.
import type { Static } from 'typebox'
import { OPEN_FROM } from '../base/dates.ts'
import { type Translate, untranslated } from '../errors/sentences.ts'
import { writeEntry } from '../store/journal/journal.ts'
import type { ReadTx, Tx } from '../store/store.ts'
import { type Backlog, findBacklog } from './delivery-log-store.ts'
import { publicKeyText } from './signing-keys.ts'
import { type KeyedSubscription, keysAt } from './subscription.ts'
import type { SubscriptionAnswer } from './subscription-schema.ts'

/** The entity of the change log. */
export const ENTITY = 'subscription'

export interface WrittenSubscription {
  readonly id: string
  /** The JSON of the answer, without the secret. */
  readonly body: string
  readonly change_no: number
  /** Empty when no new one was made, or when it is of a kind that is never shown. */
  readonly secret: string
  /** When the current key was made. */
  readonly madeAt: string
}

/** Who reads, and when, as stored. */
interface Reader {
  readonly clientId: string
  readonly at: string
  /** What is stored for retries stays as the contract has it. */
  readonly translate?: Translate | undefined
}

type Answer = Static<typeof SubscriptionAnswer>

/** The members of the answer. The public key is for the client that the subscription belongs to. */
export function answerOf(
  companyId: string,
  { subscription, keys }: KeyedSubscription,
  backlog: Backlog,
  { clientId, at, translate = untranslated }: Reader,
): Answer {
  const { definition, position, ...rest } = subscription
  const isOwner = rest.clientId === clientId
  const isRotating = keysAt(keys, at).length > 1
  return {
    id: rest.id,
    companyId,
    ...definition,
    entities: [...definition.entities],
    publicKey: isOwner ? publicKeyText(keys.current) : '',
    clientId: rest.clientId,
    userId: rest.userId,
    isSetup: rest.isSetup,
    state: rest.state,
    reason: translate(rest.reason),
    position: position.number,
    pending: Math.max(0, backlog.head_no - position.number) + backlog.waiting,
    deadLetters: backlog.dead,
    oldestUndelivered: oldestOf(backlog),
    failingSince: rest.failingSince || OPEN_FROM,
    previousSecretUntil: (isRotating && keys.previous?.until) || OPEN_FROM,
    lastUpdated: { updatedAt: rest.updatedAt, updatedBy: rest.updatedBy },
  }
}

function oldestOf({ oldest_event, oldest_entry }: Backlog): string {
  const entry = oldest_entry === 0 ? '' : new Date(oldest_entry).toISOString()
  const [oldest = OPEN_FROM] = [oldest_event, entry].filter((one) => one !== '').sort()
  return oldest
}

/** The answer after a write. */
export async function answerAfter(tx: ReadTx, keyed: KeyedSubscription, reader: Reader): Promise<Answer> {
  const backlog = await findBacklog(tx, keyed.subscription.id)
  if (!backlog) throw new Error('the subscription cannot be found after its write')
  return answerOf(tx.companyId, keyed, backlog, reader)
}

/** Writes the entry of a change in the change log; the side is absent on which it is not there. */
export function writeChange(
  tx: Tx,
  id: string,
  before: KeyedSubscription | undefined,
  after: KeyedSubscription | undefined,
): void {
  const operation = before ? (after ? 'update' : 'delete') : 'create'
  const [then = '', now = ''] = [before && journalText(before), after && journalText(after)]
  writeEntry(tx, { entity: ENTITY, key: [id], operation, before: then, after: now })
}

/** The text of the change log: no key is in it, but when the current one was made. */
export function journalText({ subscription, keys }: KeyedSubscription): string {
  const { definition, id, clientId, userId, isSetup, state, reason, position } = subscription
  const { number } = position
  const secretMadeAt = keys.current.madeAt
  return JSON.stringify({ id, ...definition, clientId, userId, isSetup, state, reason, position: number, secretMadeAt })
}
