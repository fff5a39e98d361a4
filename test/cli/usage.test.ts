// What a command line without a running service says: help, bad usage, failures; and with which exit code.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { run, temporaryFolder } from '../support/process.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const data = ['--data', join(folder.path, 'data')]

describe('help', () => {
  it.each(['serve --help', 'help serve', 'setup --help', 'token --help', 'demo --help', 'init --help', 'smoke --help'])(
    '%s shows examples on standard output',
    async (args) => {
      const { code, stdout, stderr } = await run(args.split(' '))
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^Usage: tabularium/)
      expect(stdout).toMatch(/^Examples?:\n {2}\S/m)
    },
  )

  it('fits a screen with eight commands, each on a line', async () => {
    const { stdout } = await run(['--help'])
    const lines = stdout.trimEnd().split('\n')
    // The last line of the screen has the next prompt.
    expect(lines.length).toBeLessThan(24)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    const commands = lines.slice(lines.indexOf('Commands:') + 1, lines.lastIndexOf(''))
    expect(commands.map((line) => /^ {2}([a-z]+) +\S/.exec(line)?.[1])).toEqual([
      'demo',
      'init',
      'setup',
      'serve',
      'smoke',
      'query',
      'import',
      'backup',
    ])
    expect(await run(['help'])).toMatchObject({ code: 0, stdout })
  })

  it('lists every command in its group with help all', async () => {
    const { code, stdout } = await run(['help', 'all'])
    expect({ code, groups: stdout.match(/^[A-Z]\w+:$/gm) }).toEqual({
      code: 0,
      groups: ['Options:', 'Start:', 'Records:', 'Administration:', 'Maintenance:'],
    })
    for (const command of ['serve', 'setup', 'token', 'demo', 'smoke', 'distribute'])
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
  })

  it('names a variable for every flag of serve', async () => {
    const { stdout } = await run(['serve', '--help'])
    const text = stdout.replace(/\s+/g, ' ')
    const flags = [...stdout.matchAll(/^ {2}--([a-z-]+) </gm)].map(([, name = '']) => name)
    expect(flags).toEqual(expect.arrayContaining(['port', 'host', 'data', 'database', 'setup', 'base-path', 'keys']))
    for (const flag of flags) expect(text).toContain(`env: TABULARIUM_${flag.replaceAll('-', '_').toUpperCase()}`)
    // Those of single features too.
    expect(text).toMatch(/--shutdown-grace <seconds> [^-]*\(default: 0, env: TABULARIUM_SHUTDOWN_GRACE\)/)
    expect(stdout).toMatch(/^ {2}--reuse-port /m)
  })
})

const BAD_USAGE: readonly (readonly [args: string, says: string])[] = [
  ['serve --bogus', `unknown option '--bogus'`],
  ['serve --poort 1', `unknown option '--poort' (Did you mean --port?)`],
  ['serve --port', `option '--port <number>' argument missing`],
  ['serve --port 65536', `option '--port <number>' argument '65536' is invalid. It must be a port from 0 to 65535.`],
  ['serve --port=-1', `option '--port <number>' argument '-1' is invalid.`],
  ['serve --port 80a', `option '--port <number>' argument '80a' is invalid.`],
  ['serve --allow-origin *', `option '--allow-origin <origins>' argument '*' is invalid. '*' is no origin`],
  ['serve --allow-origin https://a.example/x', 'it has a scheme, a host, and perhaps a port.'],
  ['serve --base-path web', `option '--base-path <path>' argument 'web' is invalid. It must be a path like /web-api.`],
  ['serve --shutdown-grace 1000', `option '--shutdown-grace <seconds>' argument '1000' is invalid.`],
  ['serve --log-level loud', `option '--log-level <level>' argument 'loud' is invalid.`],
  ['serve --database mysql://db', `option '--database <url>'`],
  ['setup missing.yaml', `argument 'file': there is no file missing.yaml`],
  ['setup missing.yaml --dry-run', `argument 'file': there is no file missing.yaml`],
  ['serve --port 0 --setup missing.yaml', `option '--setup': there is no file missing.yaml`],
  ['serve --port 0 --setup src', `option '--setup': src is not a file`],
  ['serve more', `too many arguments for 'serve'`],
  ['setup', `missing required argument 'file'`],
  ['setup a.yaml --dryrun', `unknown option '--dryrun'`],
  ['token', `required option '--client <id>' not specified`],
  ['token --client', `option '--client <id>' argument missing`],
  ['nonsense', `unknown command 'nonsense'`],
  ['migrat', `unknown command 'migrat' (Did you mean migrate?)`],
  ['help exprt', `argument 'command': there is no command exprt; did you mean 'export'?`],
]

describe('bad usage', () => {
  it.each(BAD_USAGE)('%s: exit code 2 and one line: %s', async (args, says) => {
    const { code, stdout, stderr } = await run(args.split(' '))
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^tabularium: .*\n$/),
    })
    expect(stderr).toContain(says)
  })

  it('of a variable names the variable', async () => {
    const { code, stderr } = await run(['serve'], { environment: { TABULARIUM_PORT: 'abc' } })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^tabularium: option '--port <number>' value 'abc' from env 'TABULARIUM_PORT' .*\n$/,
      ),
    })
  })

  it('without a command shows the help, and is exit code 2', async () => {
    const { stdout: help } = await run(['--help'])
    expect(await run([])).toMatchObject({ code: 2, stdout: '', stderr: help })
  })

  it('does not repeat the password of a database address', async () => {
    const { code, stderr } = await run(['serve', '--database', 'mysql://app:canary-secret@db/records'])
    expect({ code, isTold: stderr.includes('canary-secret') }).toEqual({ code: 2, isTold: false })
  })
})

const broken = join(folder.path, 'broken-database')

const FAILURES: readonly (readonly [args: readonly string[], says: string])[] = [
  [['token', '--client', 'integration', '--data', join(folder.path, 'none')], 'there is no data folder'],
  [['serve', '--port', '0', '--database', 'postgres://nobody:x@127.0.0.1:1/none', ...data], '127.0.0.1:1'],
  [['serve', '--port', '0', '--host', '203.0.113.1', ...data], '203.0.113.1'],
  [['serve', '--port', '0', '--data', '/dev/null/data'], '/dev/null/data'],
]

describe('a failure', () => {
  it.each(FAILURES.map(([args, says]) => ({ command: args[0], says, args })))(
    'of $command is exit code 1 and one line naming $says',
    async ({ args, says }) => {
      const { code, stdout, stderr } = await run([...args, ...(args[0] === 'serve' ? ['--log-level', 'silent'] : [])])
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^tabularium: .*\n$/),
      })
      expect(stderr).toContain(says)
    },
  )

  it('is one line for a file that is no database', async () => {
    mkdirSync(broken)
    writeFileSync(join(broken, 'tabularium.db'), 'this is no database, whatever it is called'.repeat(100))
    const before = readdirSync(broken)
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--log-level', 'silent', '--data', broken])
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^tabularium: .*\n$/),
    })
    expect(stderr).toMatch(/not a database|damaged/)
    expect(readdirSync(broken)).toEqual(expect.arrayContaining(before))
  })

  it.each([
    ['after the command', ['check', '--verbose', ...data]],
    ['before the command', ['--verbose', 'check', ...data]],
  ])('shows its stack with --verbose %s', async (_where, args) => {
    const { code, stderr } = await run(args)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^tabularium: .*\n {4}at .*\n/)
  })
})
