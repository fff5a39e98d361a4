// The files of a release, by the scripts that make them, of a small installation: its Node.js is a script that tells
// what it was started with. `docs/release.md` has what was seen of the real ones.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Folder, temporaryFolder } from '../support/process.ts'

const run = promisify(execFile)
const NODE = '#!/bin/sh\necho "$0" "$@"\n'

let folder: Folder
let installation = ''
let file = ''
beforeEach(async () => {
  folder = temporaryFolder()
  installation = join(folder.path, 'installation')
  file = join(folder.path, 'tabularium')
  mkdirSync(join(installation, 'bin'), { recursive: true })
  writeFileSync(join(installation, 'node'), NODE, { mode: 0o755 })
  writeFileSync(join(installation, 'bin/tabularium.js'), '')
  await run('scripts/executable.sh', [installation, file])
})
afterEach(() => folder.remove())

const started = (home = join(folder.path, 'home')) => run(file, ['demo', '--port', '0 1'], { env: { HOME: home } })

it('unpacks itself once, for its user alone, and hands its arguments on', async () => {
  const cache = join(folder.path, 'home/.cache/tabularium')
  // Several starts at once share what one of them has unpacked.
  const answers = await Promise.all([started(), started(), started()])
  const [unpacked = '', ...others] = readdirSync(cache)
  expect(others).toEqual([])
  const place = join(cache, unpacked)
  for (const { stdout } of answers) expect(stdout).toBe(`${place}/node ${place}/bin/tabularium.js demo --port 0 1\n`)
  expect(statSync(place).mode & 0o777).toBe(0o700)
  const before = statSync(join(place, 'node')).ino
  await started()
  expect(statSync(join(place, 'node')).ino).toBe(before)
})

it('leaves nothing behind when it cannot unpack itself, and says what it needs', async () => {
  writeFileSync(file, readFileSync(file).subarray(0, -40), { mode: 0o755 })
  await expect(started()).rejects.toMatchObject({ stdout: '' })
  expect(readdirSync(join(folder.path, 'home/.cache/tabularium'))).toEqual([])
  const failed = await run(file, [], { env: {} }).catch((error) => error)
  expect(failed.stderr).toContain('set XDG_CACHE_HOME to a folder for the program')
})

it('is the same for the same files, wherever and whenever it is made', async () => {
  const other = join(folder.path, 'elsewhere/of-another-name')
  cpSync(installation, other, { recursive: true })
  utimesSync(join(other, 'node'), 1, 1)
  await run('scripts/executable.sh', [other, `${file}-2`])
  expect(readFileSync(`${file}-2`).equals(readFileSync(file))).toBe(true)
})

it('is verified by the checksums beside it', async () => {
  const { stdout } = await run('sha256sum', ['tabularium'], { cwd: folder.path })
  writeFileSync(join(folder.path, 'SHA256SUMS'), stdout)
  expect((await run('scripts/verify-release.sh', [file])).stdout).toBe('tabularium: OK\n')
  writeFileSync(file, 'another')
  await expect(run('scripts/verify-release.sh', [file])).rejects.toMatchObject({ code: 1 })
  rmSync(join(folder.path, 'SHA256SUMS'))
  await expect(run('scripts/verify-release.sh', [file])).rejects.toMatchObject({ code: expect.any(Number) })
})
