// `backup`, `verify` and `restore` by the command line, on both databases, with files in a folder and in S3.
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendFile } from '../reliability/durability/document-client.ts'
import { type DataLocation, emptyLocation, filesBelow, stateOf } from '../support/data-location.ts'
import { DOCUMENTS } from '../support/documents.ts'
import { call, kill, linesOf, run, type Serving, serve, serveHere, temporaryFolder } from '../support/process.ts'
import { longIt } from '../support/reliability-test.ts'
import { S3_ENVIRONMENT, type S3Service, startS3 } from '../support/s3.ts'
import { STORE_KINDS } from '../support/world.ts'

const VALUES = '/v1/attribute-values'
const SETUP = ['--setup', 'test/fixtures/documents.yaml']
/** A custom document, in addition to the fixture's. */
const OWN = `version: 1
documents:
  - name: work-orders
    key: [companyId, workOrderId]
    properties:
      companyId: { type: string }
      workOrderId: { type: string }
      isOpen: { type: boolean }
      hours: { type: number }
      plan: { group: { startDate: { type: date-time } } }
      serialNo: { type: string, unique: true }
      grade: { type: string, default: A }
      parts: { list: { part: { type: string } } }
`
const ORDERS = `companyId,workOrderId,isOpen,hours,plan.startDate
EN,W1,true,0.1,2026-01-02T03:04:05.678Z
EN,"W\u20282 ""quoted"", \\ \u{1F600}",false,-1e-300,2026-01-02T03:04:05.678Z
`

describe.each(STORE_KINDS)('backup, verify and restore on %s', (kind) => {
  const folder = temporaryFolder()
  const target = join(folder.path, 'backup')
  const contents = [randomBytes(300_000), Buffer.from('a'), Buffer.alloc(0), randomBytes(2_000_000)]
  const ids: string[] = []
  let place: DataLocation
  let service: Serving | undefined
  let address: string

  beforeAll(async () => {
    place = await emptyLocation(kind, join(folder.path, 'data'))
    const making = await serveHere([...place.flags, ...SETUP])
    address = making.address
    for (const content of contents.filter(({ length }) => length > 0)) await add(content)
    for (const value of ['V1', 'V"2"\\\u{1F600}']) await addValue(value)
    await making.stop()
    writeFileSync(join(folder.path, 'own.yaml'), OWN)
    writeFileSync(join(folder.path, 'orders.csv'), ORDERS)
    expect(await run(['setup', join(folder.path, 'own.yaml'), ...place.flags])).toMatchObject({ code: 0 })
    const imported = await run([
      'import',
      'work-orders',
      join(folder.path, 'orders.csv'),
      '--company',
      'EN',
      ...place.flags,
    ])
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 rows imported/) })
    service = await serve([...place.flags, ...SETUP])
    address = service.address
  })
  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  async function add(content: Buffer): Promise<void> {
    const fields = { docType: 'NOTE', title: 'Kept', fileName: 'kept.bin' }
    const { status, text } = await sendFile(address + DOCUMENTS, fields, content)
    expect(status).toBe(201)
    ids.push((JSON.parse(text) as { id: string }).id)
  }

  async function addValue(attributeValue: string): Promise<void> {
    const body = { attributeId: 'C1', attributeValue, description: `of\u2028 ${attributeValue}` }
    expect(await call(address + VALUES, { method: 'POST', body })).toMatchObject({ status: 201 })
  }

  const take = (...more: string[]) => run(['backup', target, ...place.flags, ...more])
  const verify = (of = target) => run(['verify', of])
  const restore = (into: DataLocation, from = target, ...more: string[]) =>
    run(['restore', from, ...into.flags, ...more])
  const another = (name: string) => emptyLocation(kind, join(folder.path, name))

  it('backs up while the service runs, verifies, and restores what is there', async () => {
    const taken = await take()
    expect(taken).toMatchObject({ code: 0, stderr: '' })
    expect(linesOf(taken.stdout)[0]).toMatch(/^backed up to .*: .*, 3 files \(3 MiB\); 3 files copied, 0 known$/)
    expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringMatching(/: sound\n$/), stderr: '' })

    const restored = await another('restored')
    const { code, stdout, stderr } = await restore(restored)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(linesOf(stdout)).toEqual(
      expect.arrayContaining(['  document: 3', '  attribute_value: 9', '  own_work_orders: 2']),
    )
    await expectSame(restored)
  })

  /** The restored records and contents are those of the service; only expiring data may differ. */
  async function expectSame(restored: DataLocation): Promise<void> {
    for (const table of ['journal_entry', 'attribute_value', 'own_work_orders', 'document', 'document_revision']) {
      const rows = `select * from ${table} order by 1, 2, 3`
      expect(await restored.query(rows)).toEqual(await place.query(rows))
    }
    const indexes =
      kind === 'sqlite'
        ? "select sql as text from sqlite_schema where type = 'index' and tbl_name = 'own_work_orders' order by name"
        : "select indexdef as text from pg_indexes where tablename = 'own_work_orders' order by indexname"
    expect(await restored.query(indexes)).toEqual(await place.query(indexes))
    const again = await serveHere(restored.flags)
    try {
      for (const id of ids) {
        const path = `${DOCUMENTS}/${id}`
        expect((await call(again.address + path)).text).toBe((await call(address + path)).text)
      }
      const found = await call(`${again.address}/v1/objects/work-orders?companyId=EN`)
      expect(found).toMatchObject({ status: 200, text: expect.stringContaining('W\u20282 \\"quoted\\"') })
      // The restored service accepts writes like any other.
      const body = { attributeId: 'C1', attributeValue: 'AFTER', description: 'after' }
      expect(await call(again.address + VALUES, { method: 'POST', body })).toMatchObject({ status: 201 })
      expect((await call(`${again.address}${DOCUMENTS}?search=kept`)).text).toContain(ids[0])
    } finally {
      await again.stop()
    }
  }

  it('copies only new contents into the folder of an earlier backup, and leaves one state there', async () => {
    const before = filesBelow(join(target, 'files'))
    await add(randomBytes(1_000))
    const { code, stdout } = await take()
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('; 1 file copied, 3 known\n') })
    expect(filesBelow(join(target, 'files'))).toMatchObject(before)
    expect(existsSync(join(stateOf(target), 'files.ndjson'))).toBe(true)
    expect(await verify()).toMatchObject({ code: 0 })
  })

  it('has no private keys, and a restore keeps those that it finds', async () => {
    expect(globSync(`${target}/**/keys.json`)).toEqual([])
    const keeping = await another('keys-kept')
    mkdirSync(keeping.data)
    writeFileSync(join(keeping.data, 'keys.json'), 'brought by hand')
    expect(await restore(keeping)).toMatchObject({ stdout: expect.stringContaining('a backup has no private keys') })
    expect(readFileSync(join(keeping.data, 'keys.json'), 'utf8')).toBe('brought by hand')
  })

  it('is readable by its owner only', () => {
    const names = [target, ...globSync(`${target}/**`)]
    expect(names.filter((name) => (statSync(name).mode & 0o077) !== 0 && !name.includes('backup.lock'))).toEqual([])
    expect(statSync(target).mode & 0o777).toBe(0o700)
  })

  it('is not restored to a location in use, and changes nothing there', async () => {
    const before = [filesBelow(place.data), await place.query('select count(*) as entries from audit_entry')]
    const { code, stdout, stderr } = await restore(place)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^tabularium: .* has (a database|records) already: restore into a new (folder|database)\n$/)
    const after = [filesBelow(place.data), await place.query('select count(*) as entries from audit_entry')]
    expect(after).toEqual(before)
  })

  it.runIf(kind === 'sqlite')('is not restored into a folder with anything else in it', async () => {
    const data = join(folder.path, 'not-empty')
    mkdirSync(data)
    writeFileSync(join(data, 'mine.txt'), 'mine')
    const { code, stderr } = await run(['restore', target, '--data', data])
    const line = `tabularium: ${data} is not empty (mine.txt is there): restore into a new folder\n`
    expect({ code, stderr }).toEqual({ code: 1, stderr: line })
    expect(readdirSync(data)).toEqual(['mine.txt'])
  })

  it('is restored again to a location where a restore was interrupted', async () => {
    const halfway = await another('halfway')
    mkdirSync(join(halfway.data, 'files', 'staging'), { recursive: true })
    if (kind === 'sqlite') writeFileSync(join(halfway.data, 'restored.db.tmp'), 'the beginning of a database')
    expect(await restore(halfway)).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(halfway.data).filter((name) => name.endsWith('.tmp'))).toEqual([])
    await expectSame(halfway)
  })

  it('is restored into the same kind of database', async () => {
    const other = kind === 'sqlite' ? ['--database', 'postgres://nobody@127.0.0.1:1/none'] : []
    const says = kind === 'sqlite' ? 'is a backup of SQLite: it is' : 'is a backup of PostgreSQL: name'
    const data = join(folder.path, 'other-kind')
    const { code, stderr } = await run(['restore', target, '--data', data, ...other])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) })
    expect(existsSync(data)).toBe(false)
  })

  it.runIf(kind === 'postgres')('is complete when the role bypasses row-level security', async () => {
    const free = join(folder.path, 'by-superuser')
    const admin = place.database!.replace(/\/\/.*@/, '//postgres:postgres@')
    const taken = await run(['backup', free, '--data', place.data, '--database', admin])
    expect(taken).toMatchObject({ code: 0, stderr: '' })
    const restored = await another('of-superuser')
    expect(await restore(restored, free)).toMatchObject({ code: 0, stderr: '' })
    await expectSame(restored)
  })

  it('is written to a new folder or to its own, and to no other', async () => {
    const { code, stderr } = await run(['backup', place.data, ...place.flags])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/is neither empty nor a backup: .*\n$/) })
    expect(existsSync(join(place.data, 'backup.lock'))).toBe(false)
  })

  it('reports contents that are lost already, has all others, and is restored without them', async () => {
    const [lost = ''] = globSync(`${place.data}/files/company-*/**/${'?'.repeat(64)}`)
    const hidden = join(folder.path, 'hidden')
    renameSync(lost, hidden)
    const lacking = join(folder.path, 'lacking')
    try {
      const { code, stdout } = await run(['backup', lacking, ...place.flags])
      expect({ code, first: linesOf(stdout)[0] }).toEqual({
        code: 1,
        first: expect.stringMatching(/^missing: [0-9a-f]{64} /),
      })
    } finally {
      renameSync(hidden, lost)
    }
    expect(await verify(lacking)).toMatchObject({ code: 1, stdout: expect.stringMatching(/^missing: .*1 fault\n$/s) })
    const restored = await another('lacking-restored')
    expect(await restore(restored, lacking)).toMatchObject({ code: 1, stdout: expect.stringMatching(/^missing: /) })
    const check = await run(['files', 'check', ...restored.flags])
    expect(check.stdout).toMatch(/4 files read: 1 missing, 0 damaged/)
    // The next backup has it.
    expect(await run(['backup', lacking, ...place.flags])).toMatchObject({ code: 0 })
    expect(await verify(lacking)).toMatchObject({ code: 0 })
  })

  it('is reported as missing where there is none', async () => {
    const nothing = join(folder.path, 'nothing')
    mkdirSync(nothing)
    for (const source of [nothing, join(folder.path, 'nowhere')]) {
      expect(await verify(source)).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('is no whole backup'),
        stderr: '',
      })
      const { code, stderr } = await restore(await another('from-nothing'), source)
      expect({ code, lines: linesOf(stderr).length }).toEqual({ code: 1, lines: 1 })
    }
    expect(existsSync(join(folder.path, 'nowhere'))).toBe(false)
  })

  longIt('stores the files of S3 and restores them there', async () => {
    Object.assign(process.env, S3_ENVIRONMENT)
    const s3: S3Service = await startS3()
    const data = join(folder.path, 'on-s3')
    const source = await emptyLocation(kind, data)
    const files = ['--files', s3.url()]
    const content = randomBytes(9_000_000)
    try {
      const running = await serveHere([...source.flags, ...files, ...SETUP])
      const fields = { docType: 'NOTE', title: 'In S3', fileName: 's3.bin' }
      const made = await sendFile(running.address + DOCUMENTS, fields, content)
      const { id } = JSON.parse(made.text) as { id: string }
      const backup = join(folder.path, 'of-s3')
      expect(await run(['backup', backup, ...source.flags, ...files])).toMatchObject({ code: 0, stderr: '' })
      await running.stop()

      const restored = await emptyLocation(kind, join(folder.path, 's3-restored'))
      const elsewhere = ['--files', s3.url(undefined, 'elsewhere')]
      expect(await restore(restored, backup, ...elsewhere)).toMatchObject({ code: 0, stderr: '' })
      const again = await serveHere([...restored.flags, ...elsewhere])
      const answer = await call(`${again.address}${DOCUMENTS}/${id}`)
      await again.stop()
      const { fileContent } = JSON.parse(answer.text) as { fileContent: string }
      expect(Buffer.from(fileContent, 'base64').equals(content)).toBe(true)
    } finally {
      await s3.stop()
    }
  })

  it('fails in one line without a database', async () => {
    const none = kind === 'sqlite' ? ['--data', join(folder.path, 'none')] : (await another('none')).flags
    const empty = join(folder.path, 'of-none')
    const { code, stdout, stderr } = await run(['backup', empty, ...none])
    expect({ code, stdout, lines: linesOf(stderr).length }).toEqual({ code: 1, stdout: '', lines: 1 })
    expect(existsSync(join(empty, 'manifest.json'))).toBe(false)
    rmSync(empty, { recursive: true, force: true })
  })
})

describe('the commands of backups', () => {
  it.each(['backup', 'restore', 'verify'])(
    '%s shows examples in its help, and a missing folder is bad usage',
    async (command) => {
      const help = await run([command, '--help'])
      expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Examples?:\n {2}\S/m) })
      const missing = await run([command])
      expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining(`missing required argument 'target'`) })
    },
  )
})
