// Mutations of authentication, of error reports and of the handling of secrets: A1 to A5 and H9.
import type { Mutation } from './mutation.ts'

const FORGED = 'test/reliability/auth/forged-tokens.test.ts'
const ROTATION = 'test/reliability/auth/key-rotation.test.ts'
const CLOCK = 'test/reliability/auth/clock.test.ts'
const COMMANDS = 'test/reliability/auth/commands.test.ts'
const STARTS = 'test/reliability/auth/refused-starts.test.ts'
const FAILURES = 'test/reliability/http/unhandled-errors.test.ts'
const BACKGROUND = 'test/reliability/http/background-faults.test.ts'

const MATRIX = [FORGED, 'A1 rejects every one of the matrix'] as const

export const accessMutations: readonly Mutation[] = [
  {
    name: 'A1 the type of a token is not checked',
    find: "      typ: 'at+jwt',\n",
    replace: '',
    test: MATRIX,
  },
  { name: 'A1 no algorithms are given', find: '      algorithms,\n', replace: '', test: MATRIX },
  { name: 'A1 the audience is not checked', find: '      audience,\n', replace: '', test: MATRIX },
  {
    name: 'A1 tokens of trusted issuers are accepted with any type',
    find: "if (!isAccessToken(header.typ)) throw new TokenDefect('the type of the token is wrong')",
    replace: '',
    test: MATRIX,
  },
  {
    name: 'A1 a token has several spellings',
    find: "text === '' || bytes.toString('base64url') !== text",
    replace: "text === ''",
    test: MATRIX,
  },
  {
    name: 'A1 a duplicate claim is accepted',
    find: 'parseJson(decodeUtf8(bytes))',
    replace: 'JSON.parse(bytes.toString())',
    test: MATRIX,
  },
  {
    name: 'A1 extensions of tokens are ignored',
    find: "const EXTENSIONS = ['crit', 'b64', 'zip']",
    replace: 'const EXTENSIONS: string[] = []',
    test: MATRIX,
  },
  {
    name: 'A1 the first of two Authorization headers wins',
    find: '      joinDuplicateHeaders: true,\n',
    replace: '',
    test: [FORGED, 'A1 rejects on the wire'],
  },
  {
    name: 'A1 keys that cannot be fetched are requested with each token',
    find: 'const REST_AFTER_FAILURE_MS = 5_000',
    replace: 'const REST_AFTER_FAILURE_MS = 0',
    test: [FORGED, 'A1 does not keep fetching'],
  },
  {
    name: 'A2 a key that was removed verifies until the next rotation',
    find: 'return index >= 0 && this.#mayStillVerify(index) ? this.#keys[index] : undefined',
    replace: 'return this.#keys[index]',
    test: [ROTATION, 'A2 rejects no good token under load'],
  },
  {
    name: 'A2 a rotation drops the key before',
    find: 'const keys = [key, ...this.#keys.filter((_, index) => this.#mayStillVerify(index))]',
    replace: 'const keys = [key]',
    test: [ROTATION, 'A2 rejects no good token under load'],
  },
  {
    name: 'A2 the key of another process is known half a minute late',
    find: '    if (!this.#find(kid)) this.reload()\n',
    replace: '',
    test: [ROTATION, 'A2 accepts the key that another process'],
  },
  {
    name: 'A2 tokens of an issuer that is no longer trusted stay cached',
    find: 'return this.#directory.findIssuer(issuer.issuer) === issuer ? this.#directory.callerOfSubject(subject) : undefined',
    replace: 'return issuer && this.#directory.callerOfSubject(subject)',
    test: [ROTATION, 'A2 drops the cached tokens'],
  },
  {
    name: 'A3 a token is cached longer than it is valid',
    find: 'Math.min(exp, iat + MAX_TOKEN_AGE_SECONDS)',
    replace: 'exp',
    test: [CLOCK, 'A3 accepts tokens from their start'],
  },
  {
    name: 'A3 today starts at the current time',
    find: 'expiryDate >= dayOf(now)',
    replace: 'expiryDate >= now',
    test: [CLOCK, 'A3 uses the day and the period of today'],
  },
  {
    name: 'A3 a minute is extended by the time that the clock was set back',
    find: 'if (known && now < known.endsAt && now >= known.endsAt - MINUTE_MS) return known',
    replace: 'if (known && now < known.endsAt) return known',
    test: [CLOCK, 'A3 counts denied accesses by the minute'],
  },
  {
    name: 'A4 the given address is reported with its password',
    find: "message.replace(GIVEN_ADDRESS, '$1')",
    replace: 'message',
    test: [COMMANDS, 'A4 disclose no password of a malformed address'],
  },
  {
    name: 'A4 a backup includes the private keys',
    find: 'await syncUpwards(folder, resolve(task.target))',
    replace:
      "await (await import('node:fs/promises')).cp(join(task.data, 'keys.json'), join(folder, 'keys.json'))\n    await syncUpwards(folder, resolve(task.target))",
    test: [COMMANDS, 'A4 put neither keys nor secrets'],
  },
  {
    name: 'A5 a refused start exits with success',
    find: 'withoutPasswords(text)}\\n`)\n  return 1',
    replace: 'withoutPasswords(text)}\\n`)\n  return 0',
    test: [STARTS, 'A5 is refused for each secret'],
  },
  {
    name: 'H9 the message of an error is sent to the client',
    find: 'CUT_OFF : error instanceof Problem ? error : internalError(requestId)',
    replace: "CUT_OFF : error instanceof Problem ? error : new Problem(500, 1000, { message: String(error) }, '')",
    test: [FAILURES, 'H9 answers 500'],
  },
  {
    name: 'H9 a check that throws null is passed',
    find: '      route.admit?.(request)\n',
    replace: '      try { route.admit?.(request) } catch (thrown) { if (thrown !== null) throw thrown }\n',
    test: [FAILURES, 'H9 answers 500'],
  },
  {
    name: 'H9 a failing counter ends the process',
    find: 'await Promise.allSettled([...requests, ...bytes])',
    replace: 'await Promise.all([...requests, ...bytes])',
    test: [BACKGROUND, 'H9 goes on when texts'],
  },
  {
    name: 'H9 a crash is not logged',
    find: "    observe({ kind: 'crashed', error })\n",
    replace: '',
    test: [BACKGROUND, 'H9 ends the process with one line'],
  },
]
