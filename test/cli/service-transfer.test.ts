// `import`, `export` and `changes` with `--url`: by the API of a running service, as those of the database work.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { linesOf, run, SETUP, serveHere, temporaryFolder } from '../support/process.ts'
import { CLIENT_SECRET } from '../support/world.ts'

const folder = temporaryFolder()
const environment = { TABULARIUM_SECRET: CLIENT_SECRET }
let service: Awaited<ReturnType<typeof serveHere>>
let place: string[]

beforeAll(async () => {
  service = await serveHere(['--data', join(folder.path, 'data'), '--setup', SETUP])
  place = ['--url', service.address, '--client', 'integration']
})
afterAll(async () => {
  await service?.stop()
  folder.remove()
})

const inFolder = (name: string) => join(folder.path, name)
const ask = (...args: string[]) => run([...args, ...place], { environment })
const write = (name: string, text: string) => {
  writeFileSync(inFolder(name), text)
  return inFolder(name)
}
const HEAD = 'attributeId,attributeValue,description\n'

it('a file is imported, its rejected rows are kept, and a dry run stores nothing', async () => {
  const file = write('values.csv', `${HEAD}C6,ONE,One\nNONE,TWO,Two\nC6,THREE,Three\n`)
  const tried = await ask('import', 'attribute-values', file, '--dry-run')
  expect(tried).toMatchObject({ code: 1, stdout: expect.stringMatching(/^2 rows would be imported, 1 rejected/) })
  expect((await ask('get', 'attribute-values', 'C6', 'ONE', '0')).code).toBe(1)
  const done = await ask('import', 'attribute-values', file)
  expect(done).toMatchObject({ code: 1, stdout: `2 rows imported, 1 rejected (see ${file}.rejects.csv)\n`, stderr: '' })
  const rejects = linesOf(readFileSync(`${file}.rejects.csv`, 'utf8'))
  expect(rejects).toEqual(['line,column,message,row\r', expect.stringMatching(/^"3","attributeId",.*NONE/)])
})

it('records are exported with their change number, and what is written since is printed', async () => {
  const filter = ['--filter', "attributeValue eq 'ONE'", '--select', 'attributeId,attributeValue']
  const lines = await ask('export', 'attribute-values', ...filter)
  expect(linesOf(lines.stdout).map((line) => JSON.parse(line))).toEqual([{ attributeId: 'C6', attributeValue: 'ONE' }])
  const [, number = ''] = /^change number (\d+)\n$/.exec(lines.stderr) ?? []
  const csv = inFolder('one.csv')
  expect(await ask('export', 'attribute-values', csv, ...filter)).toMatchObject({ code: 0, stdout: '' })
  expect(readFileSync(csv, 'utf8').replaceAll('\r', '')).toBe('attributeId,attributeValue\nC6,ONE\n')
  const parquet = inFolder('one.parquet')
  expect(await ask('export', 'attribute-values', parquet, ...filter)).toMatchObject({ code: 0, stdout: '' })
  expect(readFileSync(parquet).subarray(0, 4).toString()).toBe('PAR1')

  expect(await ask('changes', '--since', number)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
  const more = write('more.ndjson', '{"attributeId":"C6","attributeValue":"MORE","description":"More"}\n')
  expect(await ask('import', 'attribute-values', more)).toMatchObject({ code: 0, stderr: '' })
  const changes = await ask('changes', '--since', number)
  expect(linesOf(changes.stdout).map((line) => JSON.parse(line))).toMatchObject([
    { operation: 'created', record: { attributeValue: 'MORE' } },
  ])
})

it.each([
  ['import', ['attribute-values', 'values.csv', '--again'], /^tabularium: option '--again': a service /],
  ['import', ['attribute-values', '--template'], /^tabularium: option '--template': a service /],
  ['export', ['attribute-values', '--data', 'data'], /^tabularium: option '--data': a service /],
  ['changes', ['--since', '0', '--query-timeout', '9'], /^tabularium: option '--query-timeout': a service /],
])('%s %j is bad usage', async (command, args, says) => {
  expect(await ask(command, ...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) })
})

it('what the service refuses is one line, and leaves no file', async () => {
  const file = inFolder('none.csv')
  const refused = await ask('export', 'attribute-values', file, '--filter', 'nonsense eq')
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^tabularium: [^\n]+\n$/) })
  expect(existsSync(file)).toBe(false)
  const rows = write('rows.ndjson', '{}\n')
  expect(await ask('import', 'no-such-document', rows)).toMatchObject({ code: 1, stdout: '' })
})
