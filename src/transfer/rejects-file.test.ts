import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { csvRejects, RejectsFile } from './rejects-file.ts'
import type { CsvTable } from './rows/csv-table.ts'
import { PLAIN_TEXT } from './rows/text-form.ts'

const HEADER = 'line,column,message,row\r\n'
const rejected = (line: number) => `"${line}","description","too long","{""x"":\n""y""}"\r\n`
const row = (line: number) => ({ line, text: '{"x":\n"y"}', problem: { column: '', message: '' } })
const finding = { column: 'description', message: 'too long' }

describe('the file of rejected rows', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tabularium-rejects-'))
    path = join(folder, 'rows.rejects.csv')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Writes the rejects of an import that resumes after line 2,000. */
  async function resume(): Promise<string> {
    const rejects = await RejectsFile.open(path, 2_000)
    rejects.add(row(2_003), [finding])
    rejects.close()
    return readFileSync(path, 'utf8')
  }

  it('has what was told up to the last line that was kept, and each later line once', async () => {
    writeFileSync(path, HEADER + rejected(5) + rejected(2_000) + rejected(2_003) + rejected(2_100))
    expect(await resume()).toBe(HEADER + rejected(5) + rejected(2_000) + rejected(2_003))
  })

  it.each(['"20', '"2003","descr', '"2003","description","too long","{""x"":\n'])(
    'has no half line of an import that was killed: %j',
    async (half) => {
      writeFileSync(path, HEADER + rejected(5) + half)
      expect(await resume()).toBe(HEADER + rejected(5) + rejected(2_003))
    },
  )

  it('has no cell that a spreadsheet evaluates', async () => {
    const rejects = await RejectsFile.open(path, 0)
    rejects.add({ line: 1, text: '@SUM(1)' }, [{ column: "=cmd|'x'", message: '-1 is none' }])
    rejects.close()
    expect(readFileSync(path, 'utf8')).toBe(`${HEADER}"1","'=cmd|'x'","'-1 is none","'@SUM(1)"\r\n`)
    const table = { separator: ';', head: ['=a;b'], columns: [{ heading: '=a' }, { heading: 'b' }] }
    const layout = csvRejects(table as unknown as CsvTable, PLAIN_TEXT)
    const told = layout.rowOf({ line: 2, text: '1;2' }, [{ column: '=a', message: 'too long' }])
    expect(told).toBe(`2;"'=a: too long";1;2\r\n`)
  })

  it('is begun anew by an import that begins', async () => {
    writeFileSync(path, HEADER + rejected(5))
    const rejects = await RejectsFile.open(path, 0)
    rejects.add(row(2_003), [finding])
    rejects.close()
    expect(readFileSync(path, 'utf8')).toBe(HEADER + rejected(2_003))
  })
})
