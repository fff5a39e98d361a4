// A page that is followed from its first command to its last in one folder, as a reader would: what it prints is
// compared with what the commands print.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { blocksOf } from './guides.ts'
import { missingIn } from './printed-answer.ts'
import { COMPILED, type Serving, serve } from './process.ts'
import { PROGRAM } from './program.ts'
import { newDatabase } from './test-database.ts'
import type { StoreKind } from './world.ts'

const PRINTED_ADDRESS = 'http://127.0.0.1:8080'
const NAMED_FILE = /^# (\S+\.yaml)$/m
const SECRET = /^export (\w+_SECRET)='(.*)'$/gm
const PROGRAM_TEXT = [process.execPath, ...PROGRAM].map((part) => `'${part}'`).join(' ')

const run = promisify(execFile)

/** Its files are written, its commands are run, and what `tabularium serve` serves is asked. Stops it at the end. */
export async function followPage(page: string, kind: StoreKind, folder: string): Promise<void> {
  const blocks = blocksOf(page)
  const answered = blocks.filter(({ answer }) => answer)
  expect(answered.length).toBeGreaterThan(5)
  const secrets = Object.fromEntries(
    blocks.flatMap(({ text }) => [...text.matchAll(SECRET)].map(([, name = '', value = '']) => [name, value])),
  )
  const data = join(folder, 'data')
  const database = kind === 'postgres' ? await newDatabase() : undefined
  const place = ['--data', data, ...(database === undefined ? [] : ['--database', database])]
  const environment = {
    ...process.env,
    ...COMPILED,
    ...secrets,
    TABULARIUM_DATA: data,
    ...(database === undefined ? {} : { TABULARIUM_DATABASE: database }),
  }
  let serving: Serving | undefined
  try {
    for (const { language, text, answer } of blocks) {
      const [, file] = NAMED_FILE.exec(text) ?? []
      if (language === 'yaml' && file !== undefined) writeFileSync(join(folder, file), text)
      else if (text === 'tabularium serve') {
        serving = await serve([...place, '--shutdown-grace', '0'], { environment: secrets })
      } else {
        const there = text.replaceAll(PRINTED_ADDRESS, serving?.address ?? PRINTED_ADDRESS)
        // With `--url` the storage is that of the service.
        const own = there.includes('--url') ? 'unset TABULARIUM_DATA TABULARIUM_DATABASE' : ''
        const script = [`tabularium() { ${PROGRAM_TEXT} "$@"; }`, 'set -eo pipefail', own, there].join('\n')
        const { stdout } = await run('bash', ['-c', script], { cwd: folder, env: environment, encoding: 'latin1' })
        const printed = Buffer.from(stdout, 'latin1').toString('utf8')
        const missing = answer && missingIn(printed, answer.text)
        expect([text, missing, answer && printed]).toEqual([text, undefined, answer && printed])
      }
    }
    expect(serving).toBeDefined()
  } finally {
    serving?.child.kill('SIGINT')
    await serving?.ended
  }
}
