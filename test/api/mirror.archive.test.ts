// The archive of a mirror: index values first, then contents, in the background or when they are first asked for.
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type MirrorOptions, type MirrorWorld, startMirror } from '../support/mirror.ts'
import { run } from '../support/process.ts'
import { STORE_KINDS } from '../support/world.ts'

const ARCHIVE = 'document-archive'

describe.each(STORE_KINDS)('the archive of a mirror on %s', (kind) => {
  let mirror: MirrorWorld
  const start = async (options: MirrorOptions = {}) => {
    mirror = await startMirror(kind, { erp: { sizes: { documents: 30 } }, ...options })
    await mirror.loaded()
  }

  const get = (path: string, query = '') => mirror.world.send({ as: 'programs', url: `${path}?companyId=EN${query}` })
  const first = () =>
    mirror.erp.records(ARCHIVE).find(({ revisionNo }) => Number(revisionNo) > 1) as { id: string; revisionNo: number }
  const ofSource = async (path: string) => {
    const url = `${mirror.url}${path}?companyId=EN`
    const headers = { authorization: `Basic ${Buffer.from('mirror:mirror-secret').toString('base64')}` }
    return (await (await fetch(url, { headers })).json()) as Record<string, unknown>
  }

  describe('whose contents are fetched when they are asked for', () => {
    beforeAll(() => start({ source: { contents: 'lazy', sweep: 600 } }))
    afterAll(async () => mirror?.stop())

    it('has every document with its index values', async () => {
      expect(mirror.names).toContain(ARCHIVE)
      expect(await mirror.differences([ARCHIVE])).toEqual([])
      const { json } = await get('/v1/documents', '&limit=50')
      expect(json.total).toBe(mirror.erp.count(ARCHIVE))
      // Their types are those that some documents have: this source lists none.
      const invoices = mirror.erp.records(ARCHIVE).filter(({ docType }) => docType === 'INVOICE')
      expect((await get('/v1/documents', '&doctype=INVOICE')).json.total).toBe(invoices.length)
    })

    it('fetches a content when it is first asked for, and keeps it', async () => {
      const { id, revisionNo } = first()
      const there = await ofSource(`/v1/documents/${id}`)
      const here = await get(`/v1/documents/${id}`)
      expect([here.status, here.json]).toEqual([200, { ...there, notificationMessages: {} }])
      expect(here.headers['mirror-as-of']).toBeDefined()
      mirror.erp.faults.isAway = true
      expect((await get(`/v1/documents/${id}`)).json.fileContent).toBe(there.fileContent)
      const other = mirror.erp.records(ARCHIVE).find((row) => row.id !== id)
      const refused = await get(`/v1/documents/${other?.id}`)
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10'])
      expect((await get('/v1/documents', '&withFileContent=true')).status).toBe(503)
      mirror.erp.faults.isAway = false
      const revisions = await get(`/v1/document-revisions/${id}`)
      expect([revisions.json.total, revisions.json.items.length]).toEqual([revisionNo, revisionNo])
      for (const item of revisions.json.items) {
        const { fileContent, comment } = await ofSource(`/v1/document-revisions/${id}/${item.revisionNo}`)
        expect(item).toMatchObject({ fileContent, comment })
      }
      expect((await get(`/v1/documents/${id}/content`)).text).toBe(
        Buffer.from(String(there.fileContent), 'base64').toString(),
      )
      await mirror.same([ARCHIVE])
    })

    it.runIf(kind === 'sqlite')('is backed up before its contents are here', async () => {
      const { id } = first()
      await get(`/v1/documents/${id}`)
      const target = join(mirror.world.folder, 'backup')
      const taken = await run(['backup', target, '--data', mirror.world.folder])
      expect(taken).toMatchObject({ code: 0, stderr: '' })
      expect(await run(['verify', target])).toMatchObject({ code: 0 })
    })

    it('follows new revisions and titles, and closes what is gone', async () => {
      const { id, revisionNo } = first()
      await get(`/v1/documents/${id}`)
      mirror.erp.change(ARCHIVE, { id }, { title: 'Another title' })
      await mirror.until(
        'the title has come',
        async () => (await get(`/v1/documents/${id}`)).json.title === 'Another title',
      )
      mirror.erp.change(ARCHIVE, { id }, { revisionNo: revisionNo + 1, docSize: 1 })
      await mirror.same([ARCHIVE])
      const { fileContent } = await ofSource(`/v1/documents/${id}`)
      expect((await get(`/v1/documents/${id}`)).json).toMatchObject({ revisionNo: revisionNo + 1, fileContent })
      mirror.erp.change(ARCHIVE, { id }, { status: 'T' })
      await mirror.untilSwept('it is closed', async () => (await get(`/v1/documents/${id}`)).json.status === 'T')
      expect((await get('/v1/documents', '&limit=50')).json.total).toBe(mirror.erp.count(ARCHIVE) - 1)
    })
  })

  describe('whose contents are fetched in the background', () => {
    afterEach(async () => mirror?.stop())

    it('finds documents by them', async () => {
      await start()
      const { id } = first()
      await mirror.until('the content is found', async () => {
        const { json } = await get('/v1/documents', `&search=${id.slice(0, 8)}`)
        return json.items?.some((item: { id: string }) => item.id === id)
      })
      await mirror.until(
        'all contents are here',
        async () => (await get('/v1/documents', '&withFileContent=true')).status === 200,
      )
      await mirror.same([ARCHIVE])
    })

    it('tells which do not come, and fetches the others', async () => {
      const broken = /GET .*document-revisions\/0/
      mirror = await startMirror(kind, { erp: { sizes: { documents: 30 } } })
      mirror.erp.faults.order('500', Number.POSITIVE_INFINITY, broken)
      const ids = mirror.erp.records(ARCHIVE).map(({ id }) => String(id))
      const away = ids.filter((id) => id.startsWith('0'))
      await mirror.until(
        'what does not come is told',
        async () => (await mirror.status(ARCHIVE)).misfits === away.length,
      )
      const { json } = await get(`/v1/mirror/${ARCHIVE}`)
      expect(json.map(({ key }: { key: string[] }) => key[0])).toEqual(away)
      expect(json[0].findings[0].member).toBe('fileContent')
      const other = ids.find((id) => !id.startsWith('0'))
      expect((await get(`/v1/documents/${other}`)).status).toBe(200)
    })
  })
})
