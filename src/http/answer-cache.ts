// Answers that are given again while nothing that they were made of has changed. What an answer depends on is either in
// its key (rights, address, the headers that choose its form) or watched by its validity; a new setup empties the cache.
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../access/caller.ts'
import { Doorkeeper } from '../base/doorkeeper.ts'
import type { Validity } from '../base/validity.ts'
import type { AnswerFigures, RouteFigures } from '../observe/figures.ts'
import type { Reply } from './send.ts'
import { type Form, formsOf, type KeptForms, type KeptReply, sizeOf, zippedOf } from './send-kept.ts'

/** Of a longer answer only the tag is kept: making it costs little beside sending it. */
const MOST_BODY_BYTES = 256 * 1024
/** Of an entry without its texts, about. */
const ENTRY_BYTES = 1_500

export interface KeptAnswer {
  readonly validity: Validity
  readonly forms: KeptForms
  /** In which its requests are counted. */
  readonly figures: RouteFigures
}

/** A read on its way to its answer. */
export interface Question {
  readonly key: string
  /** The same was asked not long ago: its answer is worth keeping. */
  readonly isAskedAgain: boolean
  readonly epoch: number
  readonly figures: RouteFigures
}

export class AnswerCache {
  readonly #kept: LRUCache<string, KeptAnswer> | undefined
  readonly #doorkeeper = new Doorkeeper()
  readonly #figures: AnswerFigures
  readonly #program: string
  /** Grows with every setup: what was begun before is not kept after. */
  #epoch = 0
  #setup = 0

  /** `program` tells one version of the service from another. */
  constructor(mostBytes: number, program: string, figures: AnswerFigures) {
    this.#program = program
    this.#figures = figures
    if (mostBytes === 0) return
    const kept = new LRUCache<string, KeptAnswer>({
      maxSize: mostBytes,
      sizeCalculation: ({ forms }, key) => ENTRY_BYTES + 2 * key.length + sizeOf(forms),
    })
    this.#kept = kept
    figures.bytes = () => kept.calculatedSize
  }

  /** Another setup comes into force, or has come. */
  renew(setup: number): void {
    this.#setup = setup
    this.#epoch += 1
    this.#kept?.clear()
  }

  /** Who have the same rights share answers; nothing else that tells callers apart has a part in an answer. */
  keyOf(request: IncomingMessage, caller: Caller): string {
    return `${request.method} ${request.url}\n${viewOf(request, caller)}`
  }

  find(key: string): KeptAnswer | undefined {
    return this.#kept?.get(key)
  }

  ask(key: string, figures: RouteFigures): Question {
    return { key, isAskedAgain: this.#kept !== undefined && this.#doorkeeper.hasSeen(key), epoch: this.#epoch, figures }
  }

  /** The tag of an answer: another for each state, each caller's rights, each setup and each version of the service. */
  tagOf(request: IncomingMessage, caller: Caller, validity: Validity): string {
    const text = `${this.#program}\n${this.#setup}\n${viewOf(request, caller)}\n${validity.tag}`
    return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`
  }

  keep({ key, epoch, isAskedAgain, figures }: Question, reply: Reply): void {
    const { validity, status } = reply
    if (!this.#kept || !validity || epoch !== this.#epoch) return
    if (isAskedAgain || status === 304) {
      this.#kept.set(key, { validity, forms: formsOf(reply, MOST_BODY_BYTES), figures })
    }
  }

  /** What is sent in a form, made now where it is not there; counts the repeat. */
  repeatOf({ forms }: KeptAnswer, form: Form): KeptReply | undefined {
    const reply = forms[form]
    if (reply) this.#figures.repeats[reply.status] += 1
    return reply
  }

  async compress(key: string, kept: KeptAnswer): Promise<void> {
    const { forms } = kept
    if (!forms.plain || forms.zipped) return
    forms.zipped = await zippedOf(forms.plain)
    // Its size counts from now on.
    if (this.#kept?.peek(key) === kept) this.#kept.set(key, { ...kept })
  }
}

/** What decides, beside the address, which answer is given. */
function viewOf({ headers }: IncomingMessage, { rights }: Caller): string {
  const { accept = '', 'accept-language': language = '' } = headers
  return `${rights}\n${accept === '*/*' ? '' : accept}\n${language === '*' ? '' : language}`
}
