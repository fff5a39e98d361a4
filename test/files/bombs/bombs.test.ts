// Malicious files, up to 50 at once: each is answered with a picture or an icon, and memory does not grow by
// what they unpack to. The service is a process of its own, so that its memory is its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBombs } from './make-bombs.ts'
import type { Answered, Asked, Report } from './thumbnail-service.ts'

const MIB = 1024 * 1024
const AT_ONCE = 50
const MOST_GROWTH_BYTES = 30 * MIB
const MOST_CHILD_BYTES = 256 * MIB
const SIGNATURE_BYTES = 4_096
const IS_LINUX = process.platform === 'linux'
const PATIENCE_MS = 600_000

const folder = mkdtempSync(join(tmpdir(), 'tabularium-bombs-'))
const files: Asked[] = []

beforeAll(async () => {
  for (const { name, mimeType, make } of await makeBombs()) {
    const content = await make()
    const path = join(folder, name)
    writeFileSync(path, content)
    files.push({ name, mimeType, path, sizeBytes: content.length })
  }
  writeFileSync(join(folder, 'list.json'), JSON.stringify(files))
}, PATIENCE_MS)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Draws all bombs in one service process. */
async function draw(rendersPdf: boolean): Promise<Report> {
  const program = join(import.meta.dirname, 'thumbnail-service.ts')
  // As the program starts itself: otherwise the growth of V8 and of the C library would be measured.
  const flags = ['--expose-gc', '--max-semi-space-size=8']
  const args = [...flags, program, join(folder, 'list.json'), String(rendersPdf), String(AT_ONCE)]
  const service = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
  })
  const output = { stdout: '', stderr: '' }
  service.stdout.on('data', (text: Buffer) => (output.stdout += text))
  service.stderr.on('data', (text: Buffer) => (output.stderr += text))
  const [code] = await once(service, 'close')
  expect({ code, stderr: output.stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(output.stdout) as Report
}

const namesOf = (answers: readonly Answered[]) => answers.map(({ name, tookMs }) => `${name} (${tookMs} ms)`)

it('has more than eighty bombs, none of them large by itself', () => {
  expect(files.length).toBeGreaterThan(80)
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
  for (const { name, sizeBytes } of files)
    expect({ name, isLarge: sizeBytes > 50 * MIB }).toEqual({ name, isLarge: false })
})

describe.each([false, true])('a service that draws the pages of PDFs: %s', (rendersPdf) => {
  const drawn: { report?: Report } = {}
  const report = () => drawn.report as Report

  beforeAll(async () => {
    drawn.report = await draw(rendersPdf)
    const stoodIn = report().answers.filter(({ isLasting }) => !isLasting)
    console.log(`bombs: an icon stood in for ${namesOf(stoodIn).join(', ') || 'none'}`)
    const { residentBefore, residentMost, childMost } = report()
    const inMib = [residentMost - residentBefore, childMost].map((bytes) => Math.round(bytes / MIB))
    console.log(`bombs: the service grew by ${inMib[0]} MiB, the largest process had ${inMib[1]} MiB`)
  }, PATIENCE_MS)

  it('answers each with a PNG that is no larger than was asked for', () => {
    expect(
      report()
        .answers.map(({ name }) => name)
        .sort(),
    ).toEqual(files.map(({ name }) => name).sort())
    const wrong = report().answers.filter(({ isPng, width, height }) => !isPng || width > 96 || height > 96)
    expect(namesOf(wrong)).toEqual([])
  })

  it('detects most of them by itself, so that the answer can be cached', () => {
    const killed = report().answers.filter(({ isLasting }) => !isLasting)
    expect(killed.length).toBeLessThan(files.length / 10)
  })

  it('does not grow by what they unpack to', () => {
    expect(report().residentMost - report().residentBefore).toBeLessThan(MOST_GROWTH_BYTES)
  })

  it.runIf(IS_LINUX)('limits the memory of the processes', () => {
    expect(report().childMost).toBeGreaterThan(0)
    expect(report().childMost).toBeLessThanOrEqual(MOST_CHILD_BYTES)
  })

  it('reads nothing of archives, and of PDFs only what it draws', () => {
    const wordsAndArchives = files.filter(({ mimeType }) => /zip|word|svg/.test(mimeType))
    const pdfs = rendersPdf ? [] : files.filter(({ mimeType }) => mimeType === 'application/pdf')
    const closed = new Set([...wordsAndArchives, ...pdfs].map(({ name }) => name))
    expect(closed.size).toBeGreaterThan(3)
    expect(namesOf(report().answers.filter(({ name, readBytes }) => closed.has(name) && readBytes > 0))).toEqual([])
    const archives = report().answers.filter(({ name }) => /^(zip|gzip|brotli|zeros|svg-)/.test(name))
    // Only the first chunk is read.
    expect(namesOf(archives.filter(({ readBytes }) => readBytes > SIGNATURE_BYTES * 32))).toEqual([])
  })
})
