// Translates disk errors to Problems with status 503, because the same request may succeed later.
import { unavailable } from '../errors/catalogue.ts'

/** An operator has to free space or repair something first. */
const RETRY_AFTER_SECONDS = 30

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no room left on the disk',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'a file may not become as large as this',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk has failed',
  EACCES: 'access to the folder is denied',
  EPERM: 'access to the folder is denied',
  ESTALE: 'the disk is not reachable',
  ETIMEDOUT: 'the disk is not reachable',
  EHOSTDOWN: 'the disk is not reachable',
  ENOTCONN: 'the disk is not reachable',
}

/** Awaits a disk operation and translates its errors to Problems. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw diskFault(error)
  }
}

/** Translates an error of the disk; returns any other error unchanged. */
export function diskFault(error: unknown): unknown {
  const reason = REASONS[codeOf(error) ?? '']
  if (reason === undefined) return error
  return unavailable(`The file store cannot be used now: ${reason}. Try again later.`, RETRY_AFTER_SECONDS, error)
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined
  return (error as NodeJS.ErrnoException).code
}
