// The faults of an S3 service, in words for a caller. Only names and states are told: messages of a service may hold more.
import { unavailable } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'

const RETRY_AFTER_SECONDS = 5

/** What the package adds to what it throws. */
interface S3Error extends Error {
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Whether there is no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')
}

/** Whether the object is shorter than the range. */
export function isBeyondEnd(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidRange'
}

/** Gives what the service answers; its faults become Problems. */
export async function onS3<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw s3Fault(error)
  }
}

/** Translates a fault of the service or of the way to it; a bug comes back as it is. */
export function s3Fault(error: unknown): unknown {
  const reason = s3Reason(error)
  if (reason === undefined) return error
  return cannotBeUsed(reason, error)
}

/** Every acknowledgement has a certain member. Something else on the way may answer 200, too. */
export function acknowledged(member: string | undefined): string {
  if (member === undefined) throw cannotBeUsed('it answered something that is not of S3')
  return member
}

function cannotBeUsed(reason: string, cause?: unknown): Problem {
  return unavailable(`The file store cannot be used now: ${reason}. Try again later.`, RETRY_AFTER_SECONDS, cause)
}

/** Why the service did not do it; nothing for a bug. */
export function s3Reason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { name, code, $metadata } = error as S3Error
  const status = $metadata?.httpStatusCode
  if (name === 'CredentialsProviderError') return 'there are no credentials for it'
  if (name === 'TimeoutError') return 'it does not answer in time'
  if (name === 'SlowDown' || status === 429) return 'it is overloaded'
  if (name === 'NoSuchBucket' || (name === 'NotFound' && status === 404)) return 'the bucket does not exist'
  if (status === 301) return 'the bucket is in another region'
  if (status === 403) return 'access is denied'
  if (status !== undefined) return `it answered ${status} ${name}`
  if (code !== undefined && !(error instanceof TypeError || error instanceof RangeError))
    return `it cannot be reached (${code})`
  return undefined
}
