// The error codes of the interface with their meaning and remedy; guides/reference/errors.md is generated from this.
import type { Code } from './findings.ts'

interface CodeText {
  readonly code: Code
  readonly status: string
  readonly meaning: string
  readonly fix: string
}

export const CODES: readonly CodeText[] = [
  { code: 1000, status: '500', meaning: 'a bug of the service', fix: 'report it with the request id' },
  {
    code: 1010,
    status: '400, 408, 413, 414, 415, 417, 422, 431',
    meaning:
      'a value that cannot be read, a mandatory field that is missing, a number series problem, something too large',
    fix: 'read the message: it names the field or the position',
  },
  {
    code: 1020,
    status: '400, 410, 429, 501, 503',
    meaning:
      'a query option that is not legal or not supported, changes that are no longer kept, or the service cannot answer now',
    fix: 'mend the option; on 410 load the records again; on 429 and 503 wait as long as Retry-After says',
  },
  {
    code: 1030,
    status: '404, 405',
    meaning: 'no resource matches the address, or not with this method',
    fix: 'compare the address with the description; Allow names the methods',
  },
  {
    code: 1040,
    status: '404',
    meaning:
      'the record, or its attribute, does not exist; on the attribute-values collection also a query that is wrong',
    fix: 'the message names each part of the key, or the position',
  },
  {
    code: 2030,
    status: '403',
    meaning: 'the caller may not do this, or not in this company',
    fix: 'ask an administrator for a role',
  },
  {
    code: 3010,
    status: '400, 422',
    meaning: 'a rule of the record is not met',
    fix: 'read notificationMessages, mend the fields, send again',
  },
  {
    code: 3090,
    status: '409',
    meaning: 'the record exists, somebody has changed it, or its state does not allow the change',
    fix: 'fetch it, apply the change again, send; the message tells what a state allows',
  },
  {
    code: 4020,
    status: '400, 422',
    meaning: 'a patch operation or its path is not legal',
    fix: 'the message has the index of the operation',
  },
  {
    code: 4023,
    status: '400, 422',
    meaning: 'a patch index is out of range',
    fix: 'fetch the record: its lists have changed',
  },
  {
    code: 4030,
    status: '400, 422',
    meaning: 'a patch value cannot be converted to the type of the field, or a number would lose digits',
    fix: 'the message names the type, and the digits that are too many',
  },
]
