// Answers a read as before when the same was asked and nothing has changed since: before anything of it is parsed.
import type { FastifyReply } from 'fastify'
import type { AnswerCache, KeptAnswer, Question } from './answer-cache.ts'
import { callerOf } from './call-of.ts'
import { foundInFront } from './found-in-front.ts'
import { figuresOf } from './measure.ts'
import { type Form, formFor, type KeptReply, sendKept } from './send-kept.ts'
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

  answer(request: RequestWithCaller, reply: FastifyReply, work: Work): Promise<FastifyReply> {
    const key = foundInFront(request.raw)?.key ?? this.#answers.keyOf(request.raw, callerOf(request))
    const kept = this.#answers.find(key)
    if (!kept) return work(this.#answers.ask(key, figuresOf(reply.raw)))
    return this.#repeat(key, kept, request, reply, work)
  }

  async #repeat(
    key: string,
    kept: KeptAnswer,
    request: RequestWithCaller,
    reply: FastifyReply,
    work: Work,
  ): Promise<FastifyReply> {
    const form = formFor(kept.forms, request.headers)
    const repeat = form && (await kept.validity.isCurrent()) ? await this.#repeatOf(key, kept, form) : undefined
    if (!repeat) return work(this.#answers.ask(key, figuresOf(reply.raw)))
    reply.hijack()
    if (this.#isStopping()) reply.raw.setHeader('connection', 'close')
    sendKept(repeat, reply.raw, request.id)
    return reply
  }

  async #repeatOf(key: string, kept: KeptAnswer, form: Form): Promise<KeptReply | undefined> {
    if (form === 'zipped') await this.#answers.compress(key, kept)
    return this.#answers.repeatOf(kept, form)
  }
}
