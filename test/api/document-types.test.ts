// GET /v1/document-types: what a client must know before it files a document.
import { expect, it } from 'vitest'
import { onEachStore, startWorld } from '../support/world.ts'

const URL = '/v1/document-types'
const REFUSED = { code: 2030, message: 'User is not authorised.' }

onEachStore(
  'The document types of a company',
  (world) => {
    it('are told with their indexes, by number', async () => {
      const { status, json } = await world().send({ as: 'reader', url: URL })
      expect(status).toBe(200)
      expect(json).toEqual([
        {
          id: 'CONTRACT',
          description: 'Contracts',
          retentionMonths: 0,
          indexes: [
            { sequenceNo: 10, name: 'Partner', required: true, maxLength: 255, attributeId: '' },
            { sequenceNo: 20, name: 'Department', required: false, maxLength: 255, attributeId: 'C2' },
          ],
        },
        {
          id: 'INVOICE',
          description: 'Incoming invoices',
          retentionMonths: 120,
          indexes: [
            { sequenceNo: 1, name: 'Cost centre', required: true, maxLength: 255, attributeId: 'C1' },
            { sequenceNo: 2, name: 'Invoice number', required: true, maxLength: 30, attributeId: '' },
            { sequenceNo: 3, name: 'Remark', required: false, maxLength: 255, attributeId: '' },
          ],
        },
        { id: 'MEMO', description: 'Kept for a month', retentionMonths: 1, indexes: [] },
        { id: 'NOTE', description: 'Notes', retentionMonths: 0, indexes: [] },
      ])
    })

    it('are none where the company declares none', async () => {
      const { status, json } = await world().send({ as: 'integration', url: `${URL}?companyId=NO1` })
      expect([status, json]).toEqual([200, []])
    })

    it('are not told again while they are the same', async () => {
      const first = await world().send({ as: 'reader', url: URL })
      const again = await world().send({
        as: 'reader',
        url: URL,
        headers: { 'if-none-match': String(first.headers.etag) },
      })
      expect([again.status, again.text]).toEqual([304, ''])
    })

    it('are not asked for with options that there are not', async () => {
      const { status, json } = await world().send({ as: 'reader', url: `${URL}?$fitler=x` })
      expect([status, json]).toEqual([400, { code: 1020, message: expect.stringContaining('$fitler') }])
    })

    it('are told to those alone who may read documents there', async () => {
      for (const [as, url] of [
        ['creator', URL],
        ['nobody', URL],
        ['reader', `${URL}?companyId=SV`],
        ['reader', `${URL}?companyId=XX`],
      ] as const) {
        const { status, json } = await world().send({ as, url })
        expect([as, url, status, json]).toEqual([as, url, 403, REFUSED])
      }
      expect((await world().send({ url: URL })).status).toBe(401)
      expect((await world().send({ as: 'reader', url: URL })).text).not.toContain('canary')
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/documents.yaml'),
)
