// The commands of the README and of the tutorial, pasted into a shell as they stand, against the real command line.
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { missingIn } from '../support/printed-answer.ts'

const run = promisify(execFile)
const PAGES = ['README.md', 'docs/tutorial.md']

interface Step {
  readonly page: string
  readonly command: string
  /** As it is printed, with `…` for what is left out. */
  readonly answer: string
}

/** Each command of a page with the answer printed below it. */
function stepsOf(page: string): Step[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/```(bash|json)\n([\s\S]*?)\n```/g)]
  return blocks.flatMap(([, kind, command = ''], index) => {
    const [, nextKind, answer = ''] = blocks[index + 1] ?? []
    return kind === 'bash' && nextKind === 'json' ? [{ page, command, answer }] : []
  })
}

const steps = PAGES.flatMap(stepsOf)
const token = /^TOKEN=.*$/m.exec(readFileSync('docs/tutorial.md', 'utf8'))?.[0] ?? ''

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

it('shows commands with answers, and how to get a token', () => {
  expect(steps.length).toBeGreaterThanOrEqual(8)
  expect(token).toContain('grant_type=client_credentials')
})

it.each(steps)('$page: answers $command', async ({ command, answer }) => {
  const { stdout } = await run('bash', ['-c', addressed(`${token}\n${command}`)])
  expect(missingIn(stdout, answer)).toBeUndefined()
})

it('greets with a curl line that works when pasted', async () => {
  const line = greeting.split('\n').find((one) => one.includes('curl') && one.includes('attribute-values')) ?? ''
  const { stdout } = await run('bash', ['-c', line])
  expect(JSON.parse(stdout)).toHaveLength(3)
})
