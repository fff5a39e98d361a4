// The ways in which a job ends without an answer: each asks for another reaction.

/** The job itself says no: this content cannot be worked on. It would say so again. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed'
}

/** Over its time, over its memory, or the process ended by itself. It may be the content, and it may be the hour. */
export type KillReason = 'time' | 'memory' | 'ended'

export class JobKilled extends Error {
  override readonly name = 'JobKilled'
  readonly reason: KillReason

  constructor(reason: KillReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** More jobs wait than anybody would wait for. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}
