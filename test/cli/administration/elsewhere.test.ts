// Commands for a service elsewhere: only an administrator's client may send them, and nothing of the service's machine
// can be read or written by them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEachService } from '../../support/administered.ts'
import { signedToken } from '../../support/forgery/signer.ts'
import { startTrustedIssuers } from '../../support/forgery/signers.ts'
import { call, type Ended, linesOf, run, SETUP, start } from '../../support/process.ts'
import { eventually } from '../../support/uploads.ts'
import { CLIENT_SECRET } from '../../support/world.ts'

const PATH = '/v1/administration/commands'
const ADMINISTRATOR =
  '  - { id: operations, user: svc-integration, secretEnv: TEST_CLIENT_SECRET, administrator: true }\n'

let issuers: Awaited<ReturnType<typeof startTrustedIssuers>>
let text = ''

beforeAll(async () => {
  issuers = await startTrustedIssuers()
  text = readFileSync(issuers.setup, 'utf8').replace('clients:\n', `clients:\n${ADMINISTRATOR}`)
})

afterAll(() => issuers.stop())

const declare: Parameters<typeof onEachService>[1] = (service) => {
  const authorization = `Basic ${btoa(`operations:${CLIENT_SECRET}`)}`
  const environment = { TABULARIUM_LOGIN_SECRET: CLIENT_SECRET }
  const command = (...args: string[]): Promise<Ended> =>
    run([...args, '--url', service().address, '--login', 'operations', '--data', '/nowhere'], { environment })

  it('runs commands, with files of its own machine, and is named in the journal', async () => {
    const file = service().write('company.yaml', text)
    expect((await command('setup', file)).stderr).toBe(
      `tabularium: the service at ${new URL(service().address).origin} refuses: the client id or secret is wrong (status 401)\n`,
    )
    expect((await service().command(['setup', file])).code).toBe(0)
    const input = service().write('far.csv', 'attributeId,attributeValue,description\nC6,FAR,Far\nC6,,none\n')
    const imported = await command('import', 'attribute-values', input, '--company', 'EN')
    expect([imported.code, imported.stderr, imported.stdout.slice(0, 26)]).toEqual([
      1,
      '',
      '1 row imported, 1 rejected',
    ])
    expect(readFileSync(`${input}.rejects.csv`, 'utf8')).toContain('\n3,')
    const output = join(service().folder.path, 'far.ndjson')
    const filter = ['--filter', "attributeValue eq 'FAR'", '--select', 'description', '--company', 'EN']
    expect((await command('export', 'attribute-values', output, ...filter)).code).toBe(0)
    expect(readFileSync(output, 'utf8')).toBe('{"description":"Far"}\n')
    expect((await command('audit', 'verify')).stdout).toMatch(/chains are whole/)
    const changed = await command('setup', service().write('more.yaml', text.replace('Free text', 'Far text')))
    expect([changed.code, changed.stderr]).toEqual([0, ''])
    const noBasic = text.replace('authentication:\n', 'authentication:\n  basic: false\n')
    expect((await command('setup', service().write('no-basic.yaml', noBasic))).code).toBe(0)
    expect((await command('setup', file)).stderr).toBe('')
    const entry = await command(
      'export',
      'audit-entries',
      ...['--company', 'EN', '--filter', "entity eq 'setup-attribute'", '--select', 'userId,clientId'],
    )
    expect(linesOf(entry.stdout).at(-1)).toBe('{"userId":"setup","clientId":"operations"}')
  })

  it('must be an administrator of the service: others are refused before their command is read', async () => {
    const form = new FormData()
    form.append('command', JSON.stringify({ args: ['setup', '--print'] }))
    const send = async (headers: Record<string, string>) => {
      const answer = await fetch(service().address + PATH, { method: 'POST', body: form, headers })
      return [answer.status, await answer.text()]
    }
    const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })
    expect((await send({}))[0]).toBe(401)
    expect((await send(basic('operations', 'wrong secret')))[0]).toBe(401)
    const refused = [403, JSON.stringify({ code: 2030, message: 'User is not authorised.' })]
    expect(await send(basic('integration', CLIENT_SECRET))).toEqual(refused)
    for (const claims of [{}, { sub: 'operations' }, { sub: 'operations', client_id: 'operations' }]) {
      const foreign = signedToken(issuers.signers[0], { claims })
      expect(await send({ authorization: `Bearer ${foreign}` })).toEqual(refused)
    }
    expect((await call(service().address + PATH)).status).toBe(405)
  })

  it('reaches no file, option or command of the machine of the service', async () => {
    const secret = join(service().data, 'keys.json')
    const send = async (args: readonly string[], files: Readonly<Record<string, string>> = {}) => {
      const form = new FormData()
      form.append('command', JSON.stringify({ args }))
      for (const [name, content] of Object.entries(files)) form.append('file', new Blob([content]), name)
      const answer = await fetch(service().address + PATH, { method: 'POST', body: form, headers: { authorization } })
      return `${answer.status} ${(await answer.text()).replaceAll('\0', '')}`
    }
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [['setup', secret], /reads and writes files that are sent to it alone/],
      [['setup', '../../keys.json'], /reads and writes files that are sent to it alone/],
      [['export', 'attribute-values', '../x', '--company', 'EN'], /files that are sent to it alone/],
      [['audit', 'verify', `--since=${secret}`], /files that are sent to it alone/],
      [['setup', '--print', '--data=/'], /--data/],
      [['setup', '--print', `--database=postgres://a@127.0.0.1/b`], /--database/],
      [['setup', '--print', '--config=x'], /--config/],
      [['serve'], /unknown command/],
      [['backup', '/tmp/x'], /unknown command/],
      [['token', '--client=operations'], /unknown command/],
    ]
    for (const [args, refusal] of refusals) expect(await send(args), args.join(' ')).toMatch(refusal)
    for (const name of ['../out.yaml', 'a/b.yaml', '..', '.']) {
      expect(await send(['setup', 'x'], { [name]: text }), name).toMatch(/^(400|200)/)
    }
    expect(existsSync(join(service().data, 'out.yaml'))).toBe(false)
    expect(await send(['x'.repeat(200_000)])).toMatch(/^413 /)
    expect(await send(['setup'.concat('\u0000')])).toMatch(/^400 /)
    const raw = async (type: string, body: string) => {
      const headers = { authorization, 'content-type': type }
      return (await fetch(service().address + PATH, { method: 'POST', headers, body })).status
    }
    expect(await raw('application/json', '{}')).toBe(415)
    expect(await raw('multipart/form-data', 'x')).toBe(400)
    expect(await raw('multipart/form-data; boundary=a', '--a\r\ncontent-disp')).toBe(400)
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, 'x']))
    expect(await send(['clients'], many)).toMatch(/^413 /)
    expect(readdirSync(join(service().data, 'commands'))).toEqual([])
  })

  it('needs its client and its secret', async () => {
    const noLogin = await run(['setup', SETUP, '--url', service().address])
    expect([noLogin.code, noLogin.stderr]).toEqual([2, expect.stringMatching(/--login names the client/)])
    const noSecret = await run(['setup', SETUP, '--url', service().address, '--login', 'operations'])
    expect([noSecret.code, noSecret.stderr]).toEqual([2, expect.stringMatching(/TABULARIUM_LOGIN_SECRET/)])
    const nobody = await run(['setup', SETUP, '--url', 'http://127.0.0.1:1', '--login', 'x'], { environment })
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringMatching(/cannot be reached: connect ECONNREFUSED/)])
  })

  it('ends the command by going away, which the log tells; and a service that stops ends it too', async () => {
    let log = ''
    service().serving.child.stderr?.on('data', (chunk: Buffer) => (log += chunk))
    const rows = Array.from({ length: 60_000 }, (_, at) => `C6,GONE${at},row ${at}\n`)
    const input = service().write('gone.csv', `attributeId,attributeValue,description\n${rows.join('')}`)
    const begin = async (file: string, first: string) => {
      const args = ['import', 'attribute-values', file, '--company', 'EN']
      const begun = start([...args, '--url', service().address, '--login', 'operations'], { environment })
      await eventually(
        async () => (await call(`${service().address}/v1/attribute-values/C6/${first}/0`)).status === 200,
      )
      return begun
    }
    const gone = await begin(input, 'GONE0')
    gone.child.kill('SIGKILL')
    await eventually(() => readdirSync(join(service().data, 'commands')).length === 0)
    await eventually(() =>
      /"import --company attribute-values gone\.csv","clientId":"operations","exitCode":1/.test(log),
    )
    expect((await call(`${service().address}/v1/attribute-values/C6/GONE59999/0`)).status).toBe(404)

    const again = service().write('stop.csv', readFileSync(input, 'utf8').replaceAll('GONE', 'STOP'))
    const stopped = await begin(again, 'STOP0')
    service().serving.child.kill('SIGTERM')
    const { code, stderr } = await stopped.ended
    expect([code, stderr]).toEqual([1, expect.stringContaining('the service is stopping: run the command again')])
    expect((await service().serving.ended).code).toBe(0)
  })
}

onEachService('an administrator elsewhere', declare, ['--base-path', '/records', '--shutdown-grace', '0'])
