// The package as it is published: its program runs, and reports the required version on an old Node.js.
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const CHECKOUT = new URL('../..', import.meta.url).pathname
const OLD = "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})"

let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-package-'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: CHECKOUT })
  const [packed = ''] = readdirSync(folder)
  // An empty folder, and none of the scripts that packages bring.
  await run(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', join(folder, packed)],
    {
      cwd: folder,
    },
  )
}, 240_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = () => join(folder, 'node_modules/tabularium/bin/tabularium.js')

it('serves the demo', async () => {
  const args = [program(), 'demo', '--data', join(folder, 'data'), '--port', '0', '--transactions', '50']
  const demo = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => demo.once('exit', resolve))
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let [output, errors] = ['', '']
      demo.stderr.on('data', (text) => {
        errors += text
      })
      demo.stdout.on('data', (text) => {
        output += text
        const found = /(http:\/\/[\d.]+:\d+)/.exec(output)?.[1]
        if (found) resolve(found)
      })
      demo.once('exit', (code) => reject(new Error(`ended with ${code}: ${output} ${errors}`)))
    })
    expect((await fetch(`${address}/health/ready`)).status).toBe(200)
    const authorization = `Basic ${Buffer.from('demo:demo-secret').toString('base64')}`
    const answer = await fetch(`${address}/v1/attribute-values/C1?$limit=1`, { headers: { authorization } })
    expect([answer.status, await answer.json()]).toEqual([200, [expect.objectContaining({ attributeId: 'C1' })]])
  } finally {
    demo.kill('SIGINT')
    await ended
  }
})

it('reports the required version in one line on an old Node.js', async () => {
  for (const path of [program(), join(CHECKOUT, 'bin/tabularium.js')]) {
    const failed = await run(process.execPath, ['--import', OLD, path, 'serve']).catch((error) => error)
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toMatch(/^tabularium: Node\.js 24 or newer is needed, and this is 20\.1\.0: [^\n]+\n$/)
  }
})
