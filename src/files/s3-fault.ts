// Translates errors of an S3 service to Problems. Only error names and status codes are included, because messages of
// the service may contain confidential details.
import { unavailable } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'

const RETRY_AFTER_SECONDS = 5

/** Properties that the AWS SDK adds to errors. */
interface S3Error extends Error {
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Whether the error means that there is no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')
}

/** Whether the error means that the range starts after the end of the object. */
export function isBeyondEnd(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidRange'
}

/** Awaits a call of the service and translates its errors to Problems. */
export async function onS3<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw s3Fault(error)
  }
}

/** Translates an error of the service or of the network; returns any other error unchanged. */
export function s3Fault(error: unknown): unknown {
  const reason = s3Reason(error)
  if (reason === undefined) return error
  return storeUnavailable(reason, error)
}

/** Requires a member that every S3 acknowledgement has: a proxy, for example, may also respond with 200. */
export function requireMember(member: string | undefined): string {
  if (member === undefined) throw storeUnavailable('it answered something that is not of S3')
  return member
}

function storeUnavailable(reason: string, cause?: unknown): Problem {
  return unavailable(`The file store cannot be used now: ${reason}. Try again later.`, RETRY_AFTER_SECONDS, cause)
}

/** The reason of a failed call; undefined for an error that is not of the service or the network. */
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
