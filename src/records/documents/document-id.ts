// Document ids are GUIDs in any letter case. The error messages are those that existing clients expect.
import { Problem } from '../../errors/problem.ts'

const LENGTH = 36
const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns the id as it is stored. Throws 400, or the given status, in the information shape (decision 4). */
export function requireDocumentId(given: string, status: 400 | 404 = 400): string {
  if (given.length !== LENGTH) throw information('Guid should contain 32 digits with 4 dashes', status)
  if (!GUID.test(given)) throw information('Unrecognised Guid format.', status)
  return given.toLowerCase()
}

/** The error for a content that is not base64. */
export function notBase64(): Problem {
  return information(
    'The input is not a valid Base-64 string as it contains a non-base 64 character, more than two padding characters, or an illegal character among the padding characters.',
    400,
  )
}

/** The information shape, the only one with null members (decision 1). */
function information(message: string, status: number): Problem {
  return new Problem(status, undefined, { message, messageType: 'Information', code: null, path: null }, message)
}
