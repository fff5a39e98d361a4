// The README's first session, pasted into a shell as it stands, against the real command line.
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const readme = readFileSync('README.md', 'utf8')
const session = readme.slice(readme.indexOf('## A first session'), readme.indexOf('## How it works'))
const blocks = [...session.matchAll(/```(bash|json)\n([\s\S]*?)\n```/g)].map(([, kind, text]) => ({
  kind,
  text: text ?? '',
}))
/** Each command with the answer printed below it. */
const steps = blocks.flatMap(({ kind, text }, index) =>
  kind === 'bash' && blocks[index + 1]?.kind === 'json'
    ? [{ command: text, answer: blocks[index + 1]?.text ?? '' }]
    : [],
)
const token = blocks[0]?.text ?? ''

const folder = mkdtempSync(join(tmpdir(), 'tabularium-readme-'))
let service: ReturnType<typeof spawn> | undefined
let greeting = ''

beforeAll(async () => {
  const args = ['src/main.ts', 'demo', '--port', '0', '--data', folder, '--log-level', 'error']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  service = child
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
    child.stdout.on('data', (data: Buffer) => {
      greeting += data
      if (greeting.includes('Ctrl-C')) resolve()
    })
  })
})

afterAll(async () => {
  const ended = new Promise((resolve) => service?.once('exit', resolve))
  service?.kill('SIGINT')
  await ended
  rmSync(folder, { recursive: true, force: true })
})

const addressed = (text: string) =>
  text.replaceAll('http://127.0.0.1:8080', /listening on (\S+)/.exec(greeting)?.[1] ?? '')

it('shows the commands of a session, with answers', () => {
  expect(steps.length).toBeGreaterThanOrEqual(5)
  expect(token).toContain('TOKEN=')
})

it.each(steps)('answers $command', async ({ command, answer }) => {
  const { stdout } = await run('bash', ['-c', addressed(`${token}\n${command}`)])
  expect(JSON.parse(stdout)).toEqual(JSON.parse(answer))
  expect(stdout.trim()).toBe(answer.trim())
})

it('greets with a curl line that works when pasted', async () => {
  const line = greeting.split('\n').find((one) => one.includes('curl') && one.includes('attribute-values')) ?? ''
  const { stdout } = await run('bash', ['-c', line])
  expect(JSON.parse(stdout)).toHaveLength(3)
})
