// Runs the operations of a batch in their order. Writes one behind the other share a transaction, as writes of several
// clients do: each is rolled back alone, and all are durable before one of them is answered. A group is one
// transaction, of which all stays or nothing.
import { Steps } from '../base/concurrency/steps.ts'
import { coded, malformed, unavailable } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import { type InnerAnswer, previewOf, refusalOf } from '../http/inner-answer.ts'
import type { InnerCall } from '../http/inner-call.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { SourceRules } from '../setup/rules/source.ts'
import type { SentOperation } from './batch-body.ts'
import type { BatchClock } from './batch-clock.ts'
import type { JointStore } from './joint-store.ts'
import type { OperationCalls } from './operation-calls.ts'

/** Writes that share a commit: other writers of the company take their turns between. */
const WRITES_TOGETHER = 64
const TOGETHER_MS = 100
/** A group holds its company's other writers up. On SQLite it ends sooner when anybody waits. */
const GROUP_MS = 15_000
/** All answers together take no more. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

interface BatchSettings {
  /** Whether operations behind one that failed are done. */
  readonly continuesOnError: boolean
  /** Everything is checked and answered, nothing is stored. */
  readonly validateOnly: boolean
}

interface BatchParts {
  readonly joints: JointStore
  readonly companies: Companies
  readonly calls: OperationCalls
  readonly clock: BatchClock
}

/** How a group ended: the member that has failed, or the error of its transaction; neither if all is done. */
interface GroupOutcome {
  readonly failure?: { readonly operation: SentOperation; readonly answer: InnerAnswer } | undefined
  readonly fault?: { readonly error: unknown } | undefined
}

interface Begun {
  readonly operation: SentOperation
  readonly call: InnerCall
}

export class BatchRun {
  readonly #parts: BatchParts
  readonly #settings: BatchSettings
  readonly #operations: readonly SentOperation[]
  readonly #answers: InnerAnswer[] = []
  /** Operations and groups that have failed. */
  readonly #failed = new Set<string>()
  #next = 0
  /** Begun ahead of its turn. */
  #ahead: Begun | undefined
  #bytes = 0
  readonly #steps = new Steps()

  constructor(parts: BatchParts, operations: readonly SentOperation[], settings: BatchSettings) {
    this.#parts = parts
    this.#operations = operations
    this.#settings = settings
  }

  /** The answers, in the order of the operations. Never rejects. */
  async run(): Promise<readonly InnerAnswer[]> {
    while (this.#next < this.#operations.length) {
      await this.#steps.pause()
      const operation = this.#operations[this.#next] as SentOperation
      if (operation.group !== undefined) await this.#runGroup(this.#membersOf(operation.group))
      else await this.#runOne(operation)
    }
    return this.#answers
  }

  async #runOne(operation: SentOperation): Promise<void> {
    const begun = this.#ahead ?? this.#begin(operation)
    this.#ahead = undefined
    if (!begun) return
    const { call } = begun
    const companyId = this.#joinableIn(call)
    if (companyId !== undefined) await this.#runTogether(begun, companyId)
    else this.#end(begun, await call.answer(this.#room()))
  }

  /** Undefined if the operation is not to be done: it has got its answer then. */
  #begin(operation: SentOperation): Begun | undefined {
    const obstacle = this.#obstacleTo(operation)
    if (!obstacle) return { operation, call: this.#parts.calls.begin(operation) }
    this.#answer(operation, refusalOf(obstacle, this.#parts.calls.requestIdOf(operation)))
    return undefined
  }

  /** Why an operation is not begun. */
  #obstacleTo({ dependsOn }: SentOperation): Problem | undefined {
    const failed = [...dependsOn].find((name) => this.#failed.has(name))
    if (failed !== undefined) return notDone(`'${failed}', which it depends on, has failed`)
    if (this.#failed.size > 0 && !this.#settings.continuesOnError) return notDone('an operation before it has failed')
    if (this.#parts.clock.isOver) return unavailable('The batch takes too long: this operation was not begun.', 1)
    if (this.#room() <= 0) return tooMuch()
    return undefined
  }

  /** The company of a write that may share a transaction with others. */
  #joinableIn(call: InnerCall): string | undefined {
    if (call.companyId === undefined || call.isRead || call.takesFile) return undefined
    // Each write to a mirror is one of its source.
    const company = this.#parts.companies.known(call.companyId)
    return company?.hasSource ? undefined : company?.id
  }

  async #runTogether(first: Begun, companyId: string): Promise<void> {
    const done: { begun: Begun; answer: InnerAnswer }[] = []
    const run = async () => {
      const until = performance.now() + TOGETHER_MS
      let begun: Begun | undefined = first
      if (this.#takeBack(first.operation)) {
        done.length = 0
        begun = this.#begin(first.operation)
      }
      for (; begun; begun = this.#nextIn(companyId, done.length, until)) {
        const answer = await begun.call.answer(this.#room())
        this.#answer(begun.operation, answer)
        done.push({ begun, answer })
        await this.#steps.pause()
      }
      return true
    }
    const fault = await this.#together(first.operation, companyId, false, run)
    if (fault && done.length === 0) done.push({ begun: first, answer: first.call.refused(fault.error) })
    for (const { begun, answer } of done) {
      this.#end(begun, fault ? begun.call.refused(fault.error) : answer)
    }
  }

  /** The next operation, if it belongs into the same transaction. */
  #nextIn(companyId: string, done: number, until: number): Begun | undefined {
    const operation = this.#operations[this.#next]
    if (!operation || operation.group !== undefined || this.#obstacleTo(operation)) return undefined
    if (done >= WRITES_TOGETHER || performance.now() > until) return undefined
    const begun = { operation, call: this.#parts.calls.begin(operation) }
    if (this.#joinableIn(begun.call) === companyId) return begun
    this.#ahead = begun
    return undefined
  }

  async #runGroup(members: readonly SentOperation[]): Promise<void> {
    const begun: Begun[] = []
    const outcome = await this.#attemptGroup(members, begun)
    for (const [at, operation] of members.entries()) {
      const call = begun[at]?.call
      const answer = this.#answerInGroup(operation, call, outcome)
      this.#answer(operation, answer)
      call?.end(answer)
    }
    const { group } = members[0] as SentOperation
    if (group !== undefined && (outcome.failure || outcome.fault)) this.#failed.add(group)
  }

  /** Does the members, all or none. Pushes to `begun` those that it has begun. */
  async #attemptGroup(members: readonly SentOperation[], begun: Begun[]): Promise<GroupOutcome> {
    const { calls, companies } = this.#parts
    for (const operation of members) {
      const obstacle = this.#obstacleTo(operation)
      if (obstacle) return { failure: { operation, answer: refusalOf(obstacle, calls.requestIdOf(operation)) } }
    }
    const [operation] = members as [SentOperation]
    const call = calls.begin(operation)
    begun.push({ operation, call })
    const companyId = companies.known(call.companyId ?? '')?.id
    if (companyId === undefined) return { failure: { operation, answer: await call.answer(0) } }
    const source = companies.find(companyId)?.source
    if (source) return { failure: { operation, answer: call.refused(notSent(companyId, source)) } }
    let failure: GroupOutcome['failure']
    const fault = await this.#together(operation, companyId, true, async () => {
      if (this.#takeBack(operation)) begun.length = 0
      failure = await this.#runMembers(members, begun, companyId)
      return !failure && !this.#settings.validateOnly
    })
    return { failure, fault }
  }

  #answerInGroup(operation: SentOperation, call: InnerCall | undefined, { failure, fault }: GroupOutcome): InnerAnswer {
    const refused = (error: unknown) =>
      call?.refused(error) ?? refusalOf(error, this.#parts.calls.requestIdOf(operation))
    if (fault) return refused(fault.error)
    if (failure && failure.operation !== operation) {
      return refused(notDone(`'${failure.operation.id}' of its group has failed`))
    }
    const answer = failure?.answer ?? (this.#answers[operation.index] as InnerAnswer)
    return !failure && this.#settings.validateOnly && !call?.isRead ? previewOf(answer) : answer
  }

  async #runMembers(members: readonly SentOperation[], begun: Begun[], companyId: string) {
    const startedAt = performance.now()
    for (const [at, operation] of members.entries()) {
      if (at === begun.length) begun.push({ operation, call: this.#parts.calls.begin(operation) })
      const { call } = begun[at] as Begun
      const refusal = this.#refusalInGroup(call, companyId, performance.now() - startedAt)
      const answer = refusal ? call.refused(refusal) : await call.answer(this.#room())
      this.#answer(operation, answer)
      if (answer.status >= 400) return { operation, answer }
      await this.#steps.pause()
    }
    return undefined
  }

  #refusalInGroup(call: InnerCall, companyId: string, ms: number): Problem | undefined {
    if (ms > GROUP_MS || this.#parts.clock.isOver)
      return unavailable('The group takes too long: nothing of it was done.', 1)
    if (this.#parts.joints.isHoldingUpOthers)
      return unavailable('The group takes too long while others wait to write: nothing of it was done.', 1)
    if (call.companyId === undefined) return undefined
    if (this.#parts.companies.known(call.companyId)?.id !== companyId) {
      return malformed('The operations of a group act in one company.')
    }
    if (call.takesFile) return malformed('A file cannot be sent within a group.')
    if (call.validateOnly && !this.#settings.validateOnly) {
      return malformed('Within a group validateOnly cannot be given: give it to the batch.')
    }
    return this.#room() <= 0 ? tooMuch() : undefined
  }

  /** Resolves with the error of the transaction itself, if there was one. */
  async #together(
    first: SentOperation,
    companyId: string,
    isGroup: boolean,
    run: () => Promise<boolean>,
  ): Promise<{ readonly error: unknown } | undefined> {
    const actor = this.#parts.calls.actorOf(first)
    try {
      await this.#parts.joints.together({ companyId, actor, isGroup, run })
      return undefined
    } catch (error) {
      return { error }
    }
  }

  /** Forgets what a transaction that gave way has done, from the operation on. Returns whether there was anything. */
  #takeBack({ index }: SentOperation): boolean {
    if (this.#answers.length <= index) return false
    for (const { body } of this.#answers.splice(index)) this.#bytes -= body.length
    for (const { id } of this.#operations.slice(index, this.#next)) this.#failed.delete(id)
    this.#next = index
    this.#ahead = undefined
    return true
  }

  #end({ operation, call }: Begun, answer: InnerAnswer): void {
    this.#answer(operation, answer)
    call.end(answer)
  }

  /** Sets the answer of an operation, or replaces it. */
  #answer(operation: SentOperation, answer: InnerAnswer): void {
    const { index, id } = operation
    this.#bytes += answer.body.length - (this.#answers[index]?.body.length ?? 0)
    this.#answers[index] = answer
    this.#next = Math.max(this.#next, index + 1)
    if (answer.status >= 400) this.#failed.add(id)
    this.#parts.calls.answered(operation, answer)
  }

  #room(): number {
    return MAX_ANSWER_BYTES - this.#bytes
  }

  #membersOf(group: string): readonly SentOperation[] {
    const end = this.#operations.findIndex(({ group: other, index }) => index >= this.#next && other !== group)
    return this.#operations.slice(this.#next, end < 0 ? undefined : end)
  }
}

function notSent(companyId: string, { url }: SourceRules): Problem {
  return coded(403, 2030, `Company ${companyId} is a mirror of ${url}: a group is not sent there.`)
}

function notDone(reason: string): Problem {
  return coded(424, 1010, `Not done, because ${reason}.`)
}

function tooMuch(): Problem {
  return coded(400, 1020, `Not done, because the answers have ${MAX_ANSWER_BYTES} bytes already.`)
}
