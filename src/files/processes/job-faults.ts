// The ways in which a job ends without an answer. Callers react differently to each.

/** The job reports that this content cannot be processed. Retrying would give the same result. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed'
}

/**
 * Out of processor time, out of memory, or the process ended by itself: the content is the likely cause. Or it was
 * stopped, never started, or kept waiting: the content has nothing to do with that.
 */
export type KillReason = 'time' | 'memory' | 'ended' | 'stopped'

export class JobKilled extends Error {
  override readonly name = 'JobKilled'
  readonly reason: KillReason

  constructor(reason: KillReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The queue of waiting jobs is full. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}
