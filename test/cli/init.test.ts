// `tabularium init`: a setup file by five answers, and the commands that it prints, which run as printed.
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { FIRST_RECORDS, firstSetup } from '../../src/cli/actions/first-setup.ts'
import { readSetup } from '../../src/setup/check/read-setup.ts'
import { OWN_HEADERS } from '../support/console-people.ts'
import { GENERAL } from '../support/customers.ts'
import { run, serveHere, temporaryFolder } from '../support/process.ts'
import { newDatabase } from '../support/test-database.ts'
import { FEWER_KINDS } from '../support/world.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const HASH = 'scrypt$16384$8$1$c2FsdA==$AAAA'
const ANSWERS = ['Berg "Pumper" AS', '', '', '', 'anna.lie']
const typed = (answers: readonly string[]) => answers.map((answer) => `${answer}\n`).join('')
const fileOf = (name: string) => join(folder.path, `${name}.yaml`)

/** The arguments of the printed commands, without the comments behind them. */
const commandsIn = (stdout: string) =>
  [...stdout.matchAll(/^ {2}tabularium (.*)$/gm)].map(([, command = '']) => command.replace(/ #.*/, '').split(' '))

describe('the commands that it prints', () => {
  it('run as printed, one after the other, and then every door answers', async () => {
    const file = fileOf('company')
    const { code, stdout, stderr } = await run(['init', file], { input: typed(ANSWERS) })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const [setup = [], serve = [], login = [], ...more] = commandsIn(stdout)
    expect([setup[0], serve, login[0], more]).toEqual(['setup', ['serve'], 'login', []])

    const environment = { TABULARIUM_DATA: join(folder.path, 'data'), XDG_CONFIG_HOME: join(folder.path, 'logins') }
    expect(await run(setup, { environment })).toMatchObject({ code: 0, stderr: '' })
    const service = await serveHere(serve.slice(1), environment)
    try {
      // The test has another port.
      const asked = login.map((word) => (word.startsWith('http:') ? service.address : word))
      const [, secret = ''] = /secret of programs: (\S+)/.exec(stdout) ?? []
      const kept = await run(asked, { environment: { ...environment, TABULARIUM_SECRET: secret } })
      expect(kept).toMatchObject({ code: 0, stderr: '' })
      expect((await run(['query', 'companies', '--select', 'companyName'], { environment })).stdout).toBe(
        '{"companyName":"Berg \\"Pumper\\" AS"}\n',
      )
      const smoke = await run(['smoke'], { environment })
      expect({ code: smoke.code, failed: smoke.stdout.match(/^failed.*/gm) }).toEqual({ code: 0, failed: null })
      expect(await statusesOfRecords(service.address, secret)).toEqual([201, 201, 201, 201])
      const [, password] = /password of anna.lie: (\S+)/.exec(stdout) ?? []
      expect(await statusOfSignIn(service.address, { user: 'anna.lie', password })).toBe(201)
      expect(service.log()).toBe('')
    } finally {
      await service.stop()
    }
  })

  it.runIf(FEWER_KINDS.includes('postgres'))('name the database that was answered', async () => {
    const file = fileOf('on-postgres')
    const database = (await newDatabase()).replace(':secret@', '@')
    const { stdout } = await run(['init', file], { input: typed(['Berg', '', '', database, 'anna.lie']) })
    const [setup = [], serve] = commandsIn(stdout)
    expect(serve).toEqual(['serve', '--database', database])
    vi.stubEnv('PGPASSWORD', 'secret')
    expect(await run(setup).finally(() => vi.unstubAllEnvs())).toMatchObject({ code: 0, stderr: '' })
  })
})

async function statusOfSignIn(address: string, body: object): Promise<number> {
  const headers = { ...OWN_HEADERS, 'content-type': 'application/json' }
  const answer = await fetch(`${address}/console/api/session`, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.status
}

/** It creates a record of each kind that the setup has. */
async function statusesOfRecords(address: string, secret: string): Promise<number[]> {
  const authorization = `Basic ${Buffer.from(`programs:${secret}`).toString('base64')}`
  const content = Buffer.from('text').toString('base64')
  const records = {
    'attribute-values': { attributeId: 'C1', attributeValue: '300', description: 'Shop' },
    customers: { customerName: 'Oslo', countryCode: 'NO', customerGroupId: 'DOM', contactPoints: [GENERAL] },
    documents: { docType: 'NOTE', title: 'Note', fileName: 'note.txt', fileContent: content },
    suppliers: { supplierId: '1', supplierName: 'Bergen', creditLimit: 100.5 },
  }
  const statuses: number[] = []
  for (const [resource, record] of Object.entries(records)) {
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(`${address}/v1/${resource}`, { method: 'POST', headers, body: JSON.stringify(record) })
    if (answer.status !== 201) throw new Error(await answer.text())
    statuses.push(answer.status)
  }
  return statuses
}

describe('its setup', () => {
  const subsets = Array.from({ length: 2 ** FIRST_RECORDS.length }, (_, bits) =>
    FIRST_RECORDS.filter((_kind, at) => bits & (1 << at)),
  )

  it.each(subsets.map((records) => ({ records, name: records.join(', ') || 'nothing' })))(
    'is one with $name',
    ({ records }) => {
      const names = { company: 'Å: "#\\ {', language: 'NO', person: "o'hara # 1" }
      const { setup, problems } = readSetup(firstSetup({ ...names, records, passwordHash: HASH, secretHash: HASH }), {})
      expect(problems).toBeUndefined()
      expect(setup).toMatchObject({
        companies: [{ name: names.company, language: 'NO' }],
        users: [{ id: names.person, administrator: true }, {}],
      })
    },
  )
})

const REFUSED: readonly (readonly [answers: readonly string[], says: string])[] = [
  [[], 'answers are missing: company, language, records, database, person'],
  [['Berg', ''], 'answers are missing: records, database, person'],
  [['', 'EN', '', '', ''], 'answers are missing: company, person'],
  [['x'.repeat(101), '', '', '', 'anna.lie'], `answer 'company': must not have more than 100 characters`],
  [['Berg', 'N', '', '', 'anna.lie'], `answer 'language': must not have fewer than 2 characters`],
  [['Berg', '', 'customers, invoices', '', 'anna.lie'], `answer 'records': there are no invoices`],
  [['Berg', '', '', 'mysql', 'anna.lie'], `answer 'database': It must be an address like postgres://`],
  [['Berg', '', '', 'postgres://app:canary@db/records', 'anna.lie'], `answer 'database': The password does not belong`],
  [['Berg', '', '', '', 'svc-programs'], `answer 'person': `],
]

describe('without a terminal', () => {
  it.each(REFUSED)('%j is exit code 2 and one line, and writes nothing: %s', async (answers, says) => {
    const before = readdirSync(folder.path)
    const { code, stdout, stderr } = await run(['init', fileOf('refused')], { input: typed(answers) })
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^tabularium: .*\n$/),
    })
    expect(stderr).toContain(says)
    expect(stderr).not.toContain('canary')
    expect(readdirSync(folder.path)).toEqual(before)
  })

  it('leaves a file as it is, also a link to nowhere', async () => {
    writeFileSync(fileOf('own'), 'own')
    symlinkSync('nowhere', fileOf('link'))
    for (const name of ['own', 'link']) {
      const { code, stderr } = await run(['init', fileOf(name)], { input: typed(ANSWERS) })
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('is there, and stays as it is') })
    }
    expect(readFileSync(fileOf('own'), 'utf8')).toBe('own')
  })

  it('refuses a folder that is not there', async () => {
    const file = join(folder.path, 'none', 'company.yaml')
    expect(await run(['init', file], { input: typed(ANSWERS) })).toMatchObject({ code: 2, stdout: '' })
  })
})

it('asks again on a terminal for what is wrong, and for what has no default', async () => {
  const file = fileOf('typed')
  const input = typed(['', 'Berg', 'N', 'NO', 'suppliers', 'mysql', 'SQLite', 'anna.lie'])
  const { code, stderr } = await run(['init', file], { input, isTyped: true })
  expect(code).toBe(0)
  expect(stderr.match(/Name of the company/g)).toHaveLength(2)
  expect(stderr).toContain('Language of its descriptions [EN]: must not have fewer than 2 characters\n')
  expect(readSetup(readFileSync(file, 'utf8'), {}).setup).toMatchObject({
    companies: [{ id: 'BERG', name: 'Berg', language: 'NO' }],
    documents: [{ name: 'suppliers' }],
  })
})

it('ends on a terminal when its input does', async () => {
  const { code, stderr } = await run(['init', fileOf('ended')], { input: 'Berg\n', isTyped: true })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('answers are missing: language') })
})
