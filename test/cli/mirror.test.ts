// `tabularium mirror`: from the address of an ERP to a company that is as it is there, and back to one of its own, by
// the commands of the guide.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Erp } from '../support/erp/erp.ts'
import { ErpServer } from '../support/erp/server.ts'
import { blocksOf } from '../support/guides.ts'
import { run, serveHere, temporaryFolder } from '../support/process.ts'
import { longIt } from '../support/reliability-test.ts'

const folder = temporaryFolder()
const file = join(folder.path, 'mirror.yaml')
const environment = { ERP_CLIENT: 'mirror', ERP_SECRET: 'mirror-secret', TABULARIUM_DATA: join(folder.path, 'data') }
const erp = new Erp({ seed: 7, quotas: false, hasBasic: false })
const server = new ErpServer(erp)
let url = ''

beforeAll(async () => {
  url = await server.start()
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const mirror = (...args: string[]) => run(['mirror', ...args, '--setup', file], { environment })

interface Printed {
  /** The variables before the command. */
  readonly environment: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

const COMMAND = /^((?:\w+=\S+ )*)tabularium (.*?)(?: #.*)?$/gm
const printed: readonly Printed[] = blocksOf('guides/administration/mirror.md')
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => [...text.matchAll(COMMAND)])
  .map(([, variables = '', command = '']) => ({
    environment: Object.fromEntries([...variables.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
    args: command.split(' '),
  }))
const [fromErp, demo, fromDemo, verify, detach] = printed as [Printed, Printed, Printed, Printed, Printed]

/** Serves by a printed command that asks another address, on any port. */
function mirrorOf(
  address: string,
  { args: [command, , ...args] }: Printed,
  setup: string,
  environment: Printed['environment'],
) {
  expect(command).toBe('mirror')
  return serveHere([address, ...args, '--port', '0', '--setup', setup], environment, 'mirror')
}

/** Runs a printed command. */
const command = ({ args }: Printed) => run([...args, '--setup', file], { environment })

describe('tabularium mirror', () => {
  it.each([
    [[], 'missing required argument'],
    [['ftp://erp.example.com', '--company', 'EN'], 'is no address'],
    [['https://erp.example.com'], "option '--company'"],
    [['--verify', '--detach'], "option '--detach'"],
    [['https://erp.example.com', '--verify'], "argument 'url'"],
  ])('says what is missing: %j', async (args, message) => {
    const { code, stderr } = await mirror(...args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  })

  it.each([
    ['a wrong secret', () => ({ ERP_SECRET: 'wrong' }), 'secret is refused'],
    ['a named place of tokens that has none', () => ({ ERP_TOKEN_URL: `${url}/elsewhere` }), 'no token at'],
  ])('is told of %s, and writes no file', async (_, wrong, message) => {
    const given = { ...environment, ...wrong() }
    const { code, stderr } = await run(['mirror', url, '--company', 'EN', '--setup', file], { environment: given })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) })
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
  })

  it('finds where tokens are, writes a setup, fills the company and serves it', async () => {
    const service = await mirrorOf(url, fromErp, file, environment)
    try {
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readFileSync(file, 'utf8')).toContain(`tokenUrl: ${url}/oauth/token`)
      const [, secret = ''] = /secret of programs: (\S+)/.exec(service.output()) ?? []
      const headers = { authorization: `Basic ${Buffer.from(`programs:${secret}`).toString('base64')}` }
      // biome-ignore lint/suspicious/noExplicitAny: answers of any shape.
      const get = async (path: string): Promise<any> => (await fetch(service.address + path, { headers })).json()
      await expect
        .poll(async () => (await get('/v1/mirror')).documents.map(({ phase }: { phase: string }) => phase))
        .not.toContain('loading')
      expect(await get('/v1/objects/customers')).toHaveLength(erp.count('customers'))
      // Their contents are here when they were read, at the latest.
      for (const { id } of await get('/v1/objects/document-archive?$select=id&$limit=1000')) {
        expect((await get(`/v1/document-revisions/${id}?limit=100`)).total).toBeGreaterThan(0)
      }
    } finally {
      await service.stop()
    }
  })

  it('compares every record with the source', async () => {
    const same = await command(verify)
    expect({ code: same.code, stderr: same.stderr }).toEqual({ code: 0, stderr: '' })
    expect(same.stdout).toContain('customers: 100 records compared, 0 differences')
    const [contents] = /^document-archive: .* contents compared, 0 differences$/m.exec(same.stdout) ?? []
    expect(contents).toBeDefined()
    erp.change('customers', { customerId: '100003' }, { customerName: 'Fjordblikk AS' })
    erp.remove('currency-rates', erp.records('currency-rates')[0]!)
    const [document] = erp.records('document-archive')
    erp.changeContent(document!, 1, 'Nobody tells that this is another one.')
    const other = await mirror('--verify')
    expect(other.code).toBe(1)
    expect(other.stdout.match(/^.*(?:here)$/gm)).toEqual([
      'customers 100003: different here',
      `document-archive ${document!.id} 1: another content here`,
      expect.stringMatching(/^currency-rates \S+ \S+: only here$/),
    ])
  })

  it('makes it a company that takes writes of its own', async () => {
    const { code, stdout } = await command(detach)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('company EN is no mirror any more') })
    expect(readFileSync(file, 'utf8')).not.toContain('source:')
    expect((await mirror('--verify')).stderr).toContain('no company here is a mirror')
    expect((await mirror('--detach')).stderr).toContain('is a mirror')
  })

  longIt('mirrors the demo', async () => {
    expect(demo.args).toEqual(['demo'])
    const source = await serveHere(['--data', join(folder.path, 'demo'), '0'], {}, 'demo')
    try {
      const given = { ...fromDemo.environment, TABULARIUM_DATA: join(folder.path, 'of-demo') }
      const service = await mirrorOf(source.address, fromDemo, join(folder.path, 'of-demo.yaml'), given)
      try {
        await expect.poll(service.log, { timeout: 300_000 }).toContain('customers: 2,000, complete')
      } finally {
        await service.stop()
      }
    } finally {
      await source.stop()
    }
  })
})
