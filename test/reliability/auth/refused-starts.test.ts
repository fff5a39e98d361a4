// A5: a service with insecure secrets does not start: it reports the reason and the position in one line.

import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Folder, run, runProcess, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, reliabilityTest, SEED } from '../../support/reliability-test.ts'
import { newDatabase } from '../../support/test-database.ts'
import { STORE_KINDS } from '../../support/world.ts'

const COMPANY = 'companies: [{ id: EN, name: N }]\nusers: [{ id: u, defaultCompany: EN }]'
const ENVIRONMENT = { LONG_SECRET: 'long enough', SHORT_SECRET: '1234567', EMPTY_SECRET: '' }
const issuer = (more: string) =>
  `authentication: { issuers: [{ issuer: "https://id.example.com", audience: records, keySet: "https://id.example.com/keys", ${more} }] }`
const client = (more: string) => `clients: [{ id: c, user: u, ${more} }]`
const HASH = 'scrypt$16384$8$1$c2FsdHNhbHQ=$aGFzaGhhc2hoYXNoaGFzaA=='

/** Part of a setup, and the expected message. */
const SETUPS: readonly (readonly [text: string, message: RegExp])[] = [
  [client('secretEnv: UNSET_SECRET'), /the environment variable UNSET_SECRET is not set/],
  [client('secretEnv: EMPTY_SECRET'), /the environment variable EMPTY_SECRET is not set/],
  [client('secretEnv: SHORT_SECRET'), /the secret in SHORT_SECRET is shorter than 8 characters/],
  [client('secretEnv: ""'), /is not set/],
  ['clients: [{ id: c, user: u }]', /expected either secretEnv or secretHash/],
  [client(`secretEnv: LONG_SECRET, secretHash: "${HASH}"`), /expected either secretEnv or secretHash/],
  [client('secret: in-clear-text'), /secret/],
  [client('secretHash: in-clear-text'), /expected scrypt\$N\$r\$p\$salt\$hash/],
  [client('secretHash: ""'), /expected scrypt\$N\$r\$p\$salt\$hash/],
  [client('secretHash: "scrypt$3$8$1$c2FsdA==$aGFzaA=="'), /N is 3: it must be a power of two/],
  [client('secretHash: "scrypt$1048576$8$9$c2FsdA==$aGFzaA=="'), /ask for too much memory/],
  [issuer('userClaim: upn'), /algorithms/],
  [issuer('algorithms: []'), /algorithms/],
  [issuer('algorithms: [none]'), /algorithms\[0\]: expected one of: RS256/],
  [issuer('algorithms: [HS256]'), /algorithms\[0\]: expected one of: RS256/],
  [issuer('algorithms: [RS256, HS512]'), /algorithms\[1\]: expected one of: RS256/],
  [issuer('algorithms: [RS256]').replace('audience: records, ', ''), /audience/],
  [issuer('algorithms: [RS256]').replace('audience: records', 'audience: ""'), /audience/],
  [issuer('algorithms: [RS256]').replace('"https://id.example.com/keys"', 'keys.json'), /keySet/],
]

const privateJwk = (kind: 'ec' | 'rsa') => {
  const { privateKey } =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 1024 })
  return { ...privateKey.export({ format: 'jwk' }), kid: '1', alg: kind === 'ec' ? 'ES256' : 'RS256' }
}
const withoutMember = (name: string) => ({ ...privateJwk('ec'), [name]: undefined })

/** A file of keys, its mode, and the expected message. */
const KEYS: readonly (readonly [keys: unknown, mode: number, message: RegExp])[] = [
  [[privateJwk('ec')], 0o644, /chmod 600/],
  [[privateJwk('ec')], 0o640, /chmod 600/],
  [[privateJwk('ec')], 0o602, /chmod 600/],
  [[privateJwk('ec')], 0o606, /chmod 600/],
  [[{ kty: 'oct', kid: '1', alg: 'HS256', k: 'c2VjcmV0', d: 'x' }], 0o600, /asymmetric/],
  [[withoutMember('d')], 0o600, /asymmetric/],
  [[withoutMember('alg')], 0o600, /asymmetric/],
  [[withoutMember('kid')], 0o600, /asymmetric/],
  [[{ ...privateJwk('ec'), alg: 'none' }], 0o600, /keys\.json/],
  [[{ ...privateJwk('ec'), alg: 'RS256' }], 0o600, /keys\.json/],
  [[privateJwk('rsa')], 0o600, /keys\.json/],
  [[], 0o600, /asymmetric/],
  ['no keys', 0o600, /keys\.json/],
  [undefined, 0o600, /keys\.json/],
]

const some = <T>(all: readonly T[]): readonly T[] => all.filter((_one, at) => IS_FULL || (at + SEED) % 5 === 0)

describe('A5 a start', () => {
  it('A5 is refused for each secret or issuer of a setup that protects nothing', () =>
    reliabilityTest('A5', 'setups that are refused', async () => {
      for (const [text, message] of some(SETUPS)) {
        const folder = temporaryFolder()
        const setup = join(folder.path, 'setup.yaml')
        writeFileSync(setup, `version: 1\n${COMPANY}\n${text}\n`)
        await requireRefused(['--setup', setup], folder, message)
      }
      return `${some(SETUPS).length} setups`
    }))

  it('A5 is refused for keys that others can read, or that are invalid', () =>
    reliabilityTest('A5', 'keys that are refused', async () => {
      for (const [index, [keys, mode, message]] of some(KEYS).entries()) {
        const folder = temporaryFolder()
        const file = join(folder.path, 'keys.json')
        // Either in the data folder, where a missing file is created, or named by an option.
        const isOwn = keys !== undefined && (index + SEED) % 2 === 0
        if (keys !== undefined) {
          writeFileSync(file, JSON.stringify({ keys }))
          chmodSync(file, mode)
        }
        await requireRefused(isOwn ? [] : ['--keys', file], folder, message)
      }
      return `${some(KEYS).length} files of keys`
    }))

  it.runIf(STORE_KINDS.includes('postgres'))(
    'A5 is refused on PostgreSQL too, and leaves nothing open that keeps it from ending',
    () =>
      reliabilityTest('A5', 'keys that are refused on PostgreSQL', async () => {
        const database = await newDatabase()
        const folder = temporaryFolder()
        const file = join(folder.path, 'keys.json')
        writeFileSync(file, JSON.stringify({ keys: [] }), { mode: 0o600 })
        const since = performance.now()
        await requireRefused(['--database', database, '--keys', file], folder, /asymmetric/, runProcess)
        return `ended after ${Math.round(performance.now() - since)} ms`
      }),
  )
})

async function requireRefused(
  args: readonly string[],
  folder: Folder,
  message: RegExp,
  runs: typeof runProcess = run,
): Promise<void> {
  const all = ['serve', '--port', '0', '--log-level', 'warn', '--data', folder.path, ...args]
  const { code, stdout, stderr } = await runs(all, { environment: ENVIRONMENT })
  folder.remove()
  expect([message, code, stdout]).toEqual([message, 1, ''])
  expect(stderr).toMatch(message)
  expect(stderr).toMatch(/^tabularium: [^\n]*\n$/)
}
