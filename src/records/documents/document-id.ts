// Documents are known by GUIDs, in any letter case; what is none is told in the words that clients of the interface know.
import { Problem } from '../../errors/problem.ts'

const LENGTH = 36
const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The id as it is stored. Throws 400 (or another status, as the rule says) in the information shape (decision 4). */
export function requireDocumentId(given: string, status: 400 | 404 = 400): string {
  if (given.length !== LENGTH) throw information('Guid should contain 32 digits with 4 dashes', status)
  if (!GUID.test(given)) throw information('Unrecognised Guid format.', status)
  return given.toLowerCase()
}

/** The content of a body is not base64. */
export function notBase64(): Problem {
  return information(
    'The input is not a valid Base-64 string as it contains a non-base 64 character, more than two padding characters, or an illegal character among the padding characters.',
    400,
  )
}

/** The one shape that has nulls in it (decision 1). */
function information(message: string, status: number): Problem {
  return new Problem(status, { message, messageType: 'Information', code: null, path: null }, message)
}
