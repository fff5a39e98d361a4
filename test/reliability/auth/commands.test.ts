// A4: secrets that a command gets appear neither in its output, whether it succeeds or fails, nor in a backup.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Folder, run, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, reliabilityTest, SEED } from '../../support/reliability-test.ts'

const PASSWORD = 'canarypassword3d1e'
const SECRET = 'canarysecret7c90'
const KEY = 'canarykey55f0'
const CANARIES = [PASSWORD, SECRET, KEY]
/** An address that no server listens on. */
const AWAY = `postgres://app:${PASSWORD}@127.0.0.1:1/records`
/** Malformed database addresses: what is rejected as an address is often one with a typing error. */
const SLIPS = [
  `postgres:/app:${PASSWORD}@db/records`,
  `app:${PASSWORD}@db/records`,
  `mysql://app:${PASSWORD}@db/records`,
  `postgres//app:x@y${PASSWORD}@db/records`,
  ` ${AWAY}`,
]
const COMMANDS: readonly (readonly string[])[] = [
  ['serve', '--port', '0'],
  ['setup', 'test/fixtures/company.yaml'],
  ['setup', 'test/fixtures/company.yaml', '--dry-run'],
  ['import', 'customers', 'test/fixtures/company.yaml', '--company', 'EN'],
  ['export', 'customers', '--company', 'EN'],
  ['files', 'check'],
  ['audit', 'verify'],
  ['audit', 'head'],
  ['backup', '{folder}/backup'],
  ['restore', '{folder}/nothing'],
  ['verify', '{folder}/nothing'],
]
const ENVIRONMENT = {
  TEST_CLIENT_SECRET: SECRET,
  AWS_ACCESS_KEY_ID: KEY,
  AWS_SECRET_ACCESS_KEY: SECRET,
  OTEL_EXPORTER_OTLP_HEADERS: `x-key=${KEY}`,
  PGPASSWORD: PASSWORD,
}

/** All items in the full form, every fourth otherwise. */
const some = <T>(all: readonly T[]): readonly T[] => all.filter((_one, at) => IS_FULL || (at + SEED) % 4 === 0)

describe('A4 commands', () => {
  it('A4 disclose no secret of an unreachable database', () =>
    reliabilityTest('A4', 'secrets of commands that fail', async () => {
      const folder = temporaryFolder()
      const commands = some(COMMANDS)
      for (const command of commands) {
        const args = command.map((part) => part.replace('{folder}', folder.path))
        const where = command[0] === 'verify' ? [] : ['--database', AWAY]
        if (where.length > 0) args.push('--data', folder.path, ...where)
        expect(await leaksOf([...args, '--verbose'], 1)).toEqual([])
      }
      folder.remove()
      return `${commands.length} commands`
    }))

  it('A4 disclose no password of a malformed address', () =>
    reliabilityTest('A4', 'passwords in addresses that are none', async () => {
      const slips = some(SLIPS)
      for (const slip of slips) {
        expect(await leaksOf(['audit', 'head', '--database', slip], 2)).toEqual([])
        expect(await leaksOf(['audit', 'head'], 2, { TABULARIUM_DATABASE: slip })).toEqual([])
      }
      return `${slips.length} addresses`
    }))

  it('A4 disclose nothing of a setup or a file of keys that cannot be read', () =>
    reliabilityTest('A4', 'secrets in files that cannot be read', async () => {
      const folder = temporaryFolder()
      const write = (name: string, text: string) => {
        writeFileSync(join(folder.path, name), text, { mode: 0o600 })
        return join(folder.path, name)
      }
      const hash = `clients: [{ id: c, user: u, secretHash: "${SECRET}" }]`
      const setup = write('setup.yaml', `version: 1\n${hash}\n`)
      const broken = write('broken.yaml', `version: 1\nclients: [{ id: c, secretHash: "${SECRET}\n`)
      const keys = write('keys.json', `{"keys":[{"kty":"oct","kid":"1","alg":"HS256","k":"${KEY}"}]}`)
      const halfKeys = write('half.json', `{"keys":[{"kty":"EC","d":"${KEY}`)
      const data = ['--data', folder.path, '--verbose']
      const commands = [
        ['setup', setup, ...data],
        ['setup', broken, ...data],
        ['token', '--client', 'c', '--keys', keys, ...data],
        ['token', '--client', 'c', '--keys', halfKeys, ...data],
      ]
      for (const command of some(commands)) expect(await leaksOf(command, 1)).toEqual([])
      folder.remove()
      return `${some(commands).length} commands`
    }))

  it('A4 put neither keys nor secrets into a backup', () =>
    reliabilityTest('A4', 'secrets in backups', async () => {
      const folder = temporaryFolder()
      const [data, backup] = [join(folder.path, 'data'), join(folder.path, 'backup')]
      const environment = ENVIRONMENT
      expect(await run(['setup', 'test/fixtures/company.yaml', '--data', data], { environment })).toMatchObject({
        code: 0,
      })
      const d = `${KEY}AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`
      const keys = JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', kid: '1', alg: 'ES256', x: 'A', y: 'A', d }] })
      writeFileSync(join(data, 'keys.json'), keys, { mode: 0o600 })
      expect(await leaksOf(['backup', backup, '--data', data], 0)).toEqual([])
      expect(filesWithCanaries(backup)).toEqual([])
      folder.remove()
      return '1 backup'
    }))
})

/** The secrets in a command's output; the command must exit with this code. */
async function leaksOf(
  args: readonly string[],
  expected: number,
  more: Record<string, string> = {},
): Promise<string[]> {
  const { code, stdout, stderr } = await run(args, { environment: { ...ENVIRONMENT, ...more } })
  const text = stdout + stderr
  expect([args.join(' '), code, code === expected ? '' : text]).toEqual([args.join(' '), expected, ''])
  return leaksIn(text).map((leak) => `${leak} in ${text}`)
}

function leaksIn(text: string): string[] {
  return CANARIES.filter((canary) => text.includes(canary) || text.includes(btoa(canary).slice(0, 16)))
}

function filesWithCanaries(folder: Folder['path']): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  expect(paths.length).toBeGreaterThan(1)
  return paths.filter((path) => leaksIn(readFileSync(path, 'latin1')).length > 0)
}
