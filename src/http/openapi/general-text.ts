// The conventions of all endpoints, for the OpenAPI description and its page.
import { CODES } from '../../errors/codes.ts'
import { BODY_LIMIT_BYTES } from '../body/json-body.ts'

export const CONVENTIONS: readonly string[] = [
  'Every request carries `Authorization`: a bearer token of `POST /oauth/token`, or the id and secret of a client by HTTP Basic.',
  '`companyId` selects the company; without it, the default company of the caller is used. A company that the caller may not use is answered as one that does not exist.',
  'Members and parameters are read in any letter case and answered as they are written here; those that are not known are passed over.',
  'There is no null in an answer: an absent text is empty, a number 0, a list empty, an end that is open 2099-12-31.',
  'Everything that is wrong with a request is answered together, and nothing of it is done.',
  'Every answer carries `X-Request-Id`: the one that was sent, when it is 1 to 128 letters, digits and `_ . : -`, or a new one.',
  'A request without a valid token is 401 at any address. Then: an address that does not exist is 404 with code 1030, a method that it does not take is 405 with `Allow`.',
  'Records carry an `ETag`. Sent back as `If-Match`, a change is refused with 409 when somebody else was faster.',
  `A body is JSON in UTF-8 of at most ${BODY_LIMIT_BYTES} bytes. Answers are compressed when the request accepts gzip or deflate; bodies of requests must not be.`,
]

/** In CommonMark, for `info.description`. */
export function generalText(): string {
  const rows = CODES.map(({ code, status, meaning, fix }) => `| ${code} | ${status} | ${meaning} | ${fix} |`)
  return [
    ...CONVENTIONS.map((sentence) => `- ${sentence}`),
    '',
    '| code | status | meaning | what to do |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}
