import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFile } from './import-file.ts'
import { inspectRows } from './inspect-rows.ts'

it('tells a file from one of the same size that differs in its middle', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-import-'))
  const path = join(folder, 'rows.csv')
  const text = Buffer.alloc(3 * 1024 * 1024, 'row\n')
  writeFileSync(path, text)
  const sourceOf = async () => (await inspectRows(() => openFile(path), 'ndjson', {})).source
  const before = await sourceOf()
  expect(await sourceOf()).toBe(before)
  text[text.length / 2] = 0x78
  writeFileSync(path, text)
  expect(await sourceOf()).not.toBe(before)
  rmSync(folder, { recursive: true })
})
