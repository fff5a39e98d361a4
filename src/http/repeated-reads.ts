// Answers a read as before when the same was asked and nothing has changed since: before anything of it is parsed.
import type { FastifyReply } from 'fastify'
import type { AnswerCache, KeptAnswer, Question } from './answer-cache.ts'
import { callerOf } from './call-of.ts'
import { figuresOf } from './measure.ts'
import { type Form, formFor, sendKept, zipOf } from './send-kept.ts'
import type { RequestWithCaller } from './server.ts'

/** Makes the answer; what is made may be kept for the question. */
type Work = (question: Question) => Promise<FastifyReply>

export class RepeatedReads {
  readonly #answers: AnswerCache
  readonly #isStopping: () => boolean

  constructor(answers: AnswerCache, isStopping: () => boolean) {
    this.#answers = answers
    this.#isStopping = isStopping
  }

  answer(request: RequestWithCaller, reply: FastifyReply, work: Work): undefined | Promise<FastifyReply> {
    const key = this.#answers.keyOf(request.raw, callerOf(request))
    const kept = this.#answers.find(key)
    const form = kept && formFor(kept, request.headers)
    if (!kept || !form) return work(this.#answers.ask(key, figuresOf(reply.raw)))
    const isCurrent = kept.validity.isCurrent()
    if (isCurrent === true && (form !== 'gzip' || kept.whole?.zipped)) {
      this.#send(kept, form, reply)
      return undefined
    }
    return this.#answerLater(isCurrent, kept, form, { reply, key, work })
  }

  /** The database has to be asked, or the answer to be compressed. */
  async #answerLater(
    isCurrent: boolean | Promise<boolean>,
    kept: KeptAnswer,
    form: Form,
    { reply, key, work }: { reply: FastifyReply; key: string; work: Work },
  ): Promise<FastifyReply> {
    if (!(await isCurrent)) return work(this.#answers.ask(key, figuresOf(reply.raw)))
    if (form === 'gzip' && kept.whole && !kept.whole.zipped) this.#answers.addZipped(key, kept, await zipOf(kept.whole))
    this.#send(kept, form, reply)
    return reply
  }

  #send(kept: KeptAnswer, form: Form, reply: FastifyReply): void {
    reply.hijack()
    const place = { response: reply.raw, requestId: reply.request.id, isLast: this.#isStopping() }
    this.#answers.count(sendKept(kept, form, place))
  }
}
