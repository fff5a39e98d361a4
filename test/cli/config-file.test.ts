// `--config FILE`: a file gives the settings of every command, and says exactly where it is wrong.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { emptyLocation } from '../support/data-location.ts'
import { call, listening, run, SETUP, start, temporaryFolder } from '../support/process.ts'
import { FEWER_KINDS } from '../support/world.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const file = join(folder.path, 'tabularium.yaml')
const configOf = (text: string) => {
  writeFileSync(file, text)
  return ['--config', file]
}

describe.each(FEWER_KINDS)('A configuration file (%s)', (kind) => {
  it('has the settings of all commands, each under the name of its flag', async () => {
    const { data, database } = await emptyLocation(kind, join(folder.path, kind))
    const config = configOf(
      [
        'port: 0',
        `setup: ${SETUP}`,
        `data: ${data}`,
        ...(database === undefined ? [] : [`database: ${JSON.stringify(database)}`]),
        'base-path: /web-api',
        'reuse-port: false',
      ].join('\n'),
    )
    const { address, ...service } = await listening(start(['serve', ...config]))
    try {
      expect(address).toMatch(/\/web-api$/)
      expect(await call(`${address}/v1/attribute-values/C1`)).toMatchObject({ status: 200 })
      expect(await run(['audit', 'verify', ...config])).toMatchObject({ code: 0, stderr: '' })
    } finally {
      service.child.kill('SIGINT')
      await service.ended
    }
    const lines = (await run(['export', 'attribute-values', '--company', 'EN', ...config])).stdout.split('\n')
    expect(lines.length).toBeGreaterThan(5)
  })
})

/** The data folder that a command looks for, which tells where the setting came from. */
async function folderOf(args: readonly string[], environment: Record<string, string> = {}) {
  const { code, stderr } = await run(['check', ...args], { environment })
  expect(code).toBe(1)
  return /\/none\/(\w+)/.exec(stderr)?.[1]
}

it('gives way to variables, and these to flags', async () => {
  const config = configOf('data: /none/file')
  const variable = { TABULARIUM_DATA: '/none/variable' }
  expect(await folderOf(config)).toBe('file')
  expect(await folderOf(config, variable)).toBe('variable')
  expect(await folderOf([...config, '--data', '/none/flag'], variable)).toBe('flag')
  expect(await folderOf([], { TABULARIUM_CONFIG: file })).toBe('file')
})

it('takes a list where a flag may be repeated', async () => {
  const config = configOf('data: /none/file\nattach:\n  - erp=erp.db\n  - pay=pay.db\n')
  expect(await folderOf(config)).toBe('file')
})

it.each([
  ['prot: 8080', "1:1 prot: there is no such setting; did you mean 'port'?"],
  ['data: ./data\nlog-level: loud', '2:12 log-level: Allowed choices are debug, info, warn, error, fatal, silent.'],
  ['port: 65536', '1:7 port: It must be a port from 0 to 65535.'],
  ['port: [1]', '1:7 port: It must be a text or a number.'],
  ['port:', '1:6 port: It must be a text or a number.'],
  ['reuse-port: yes', '1:13 reuse-port: It must be true or false.'],
  ['attach: [erp=a.db, nothing]', '1:9 attach: It must be a name and a file, like erp=/path/erp.db.'],
  ['database: http://app:topsecret@db/x', '1:11 database: It must be an address like postgres://'],
  ['config: other.yaml', '1:1 config: there is no such setting'],
  ['verbose: true', '1:1 verbose: there is no such setting'],
  ['port: 1\nport: 2', "2:1 the key 'port' is there twice, first in line 1"],
  ['port: "1', '1:'],
  ['- port', '1:1 settings are expected, such as port: 8080'],
  ['', '1:1 the file is empty'],
])('tells where it is wrong, with exit code 2: %j', async (text, says) => {
  for (const command of ['serve', 'check', 'audit head']) {
    const { code, stdout, stderr } = await run([...command.split(' '), ...configOf(text)])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^tabularium: [^\n]*\n$/)
    expect(stderr).toContain(`${file}:${says}`)
    expect(stderr).not.toContain('topsecret')
  }
})

it('must be there, be a file, and be small', async () => {
  const refusalOf = async (path: string) => (await run(['check', '--config', path])).stderr
  expect(await refusalOf('/none/such.yaml')).toContain("option '--config': there is no file /none/such.yaml")
  expect(await refusalOf(folder.path)).toContain('is not a file')
  configOf(`data: ${'a'.repeat(1024 * 1024)}`)
  expect(await refusalOf(file)).toContain('is larger than 1048576 bytes')
})

it('expands no variables', async () => {
  expect(await folderOf(configOf(`data: "/none/literal$\{HOME}"`))).toBe('literal')
})
