// What a caller is told of itself: its companies, operations, documents and rules, and nothing of others.
import { expect, it } from 'vitest'
import { CLIENT_SECRET, onEachStore, startWorld } from '../support/world.ts'

const REFUSED = { code: 2030, message: 'User is not authorised.' }

onEachStore('A caller of two companies', (world) => {
  it('is told its client, user, companies, operations and documents', async () => {
    const { status, json } = await world().send({ as: 'both', url: '/v1/access' })
    expect(status).toBe(200)
    expect(json).toEqual({
      clientId: 'both',
      userId: 'svc-both',
      defaultCompany: 'EN',
      companies: [
        { companyId: 'EN', companyName: 'Example Nordic AS' },
        { companyId: 'SV', companyName: 'Example Svenska AB' },
      ],
      companyId: 'EN',
      apis: {
        'attribute-values': ['create', 'read', 'update', 'delete'],
        'attribute-relations': ['create', 'read', 'update', 'delete'],
        objects: ['read'],
      },
      documents: expect.arrayContaining([{ name: 'customers', operations: ['read'] }]),
      rules: [],
    })
    const other = await world().send({ as: 'both', url: '/v1/access?companyId=sv' })
    expect(other.json).toMatchObject({ companyId: 'SV', defaultCompany: 'EN' })
  })

  it('is told of another company exactly what it is told of one that does not exist', async () => {
    for (const path of ['/v1/access', '/v1/objects']) {
      const answers = await Promise.all(
        ['SV', 'sv', 'XX'].map((id) => world().send({ as: 'integration', url: `${path}?companyId=${id}` })),
      )
      for (const { status, json } of answers) expect([status, json]).toEqual([403, REFUSED])
      const own = await world().send({ as: 'integration', url: path })
      expect(own.text).not.toMatch(/SV|Svenska|both|reader|watcher/)
    }
  })

  it('without any role in its company is told so', async () => {
    const { status, json } = await world().send({ as: 'nobody', url: '/v1/access' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ clientId: 'nobody', apis: {}, documents: [], rules: [] })
    expect((await world().send({ as: 'nobody', url: '/v1/objects' })).json).toEqual(REFUSED)
  })

  it('without credentials, or with wrong ones, is told nothing', async () => {
    for (const url of ['/v1/access', '/v1/objects']) {
      for (const headers of [undefined, { authorization: 'Bearer a.b.c' }, { authorization: 'Basic cmVhZGVyOnc=' }]) {
        const { status, json } = await world().send({ url, ...(headers && { headers }) })
        expect([status, json]).toEqual([401, { statusCode: 401, message: 'Invalid JWT.' }])
      }
    }
  })

  it('by its secret is told the same as by its token, and never what another one with the same roles is', async () => {
    const authorization = `Basic ${Buffer.from(`both:${CLIENT_SECRET}`).toString('base64')}`
    // Several times: an answer that were cached by roles alone would be that of another client.
    for (let time = 0; time < 4; time++) {
      const byToken = await world().send({ as: 'both', url: '/v1/access' })
      expect((await world().send({ url: '/v1/access', headers: { authorization } })).text).toBe(byToken.text)
      expect((await world().send({ as: 'integration', url: '/v1/access' })).json.clientId).toBe('integration')
    }
  })

  it('gets 304 for the tag of what it has', async () => {
    for (const url of ['/v1/access', '/v1/objects']) {
      const { headers } = await world().send({ as: 'both', url })
      const again = await world().send({ as: 'both', url, headers: { 'if-none-match': String(headers.etag) } })
      expect([again.status, again.text]).toEqual([304, ''])
      if (url === '/v1/objects') continue
      const other = await world().send({ as: 'sv', url, headers: { 'if-none-match': String(headers.etag) } })
      expect(other.status).toBe(200)
    }
  })

  it('finds each document that it may query by a link that works, and its schema', async () => {
    const { json: listed } = await world().send({ as: 'both', url: '/v1/objects?companyId=SV' })
    expect(listed.length).toBeGreaterThan(5)
    const { headers } = await world().send({ as: 'both', method: 'HEAD', url: '/v1/objects?companyId=SV' })
    expect(headers['x-erp-total-count']).toBe(String(listed.length))
    for (const { name, operations, parameters, links } of listed) {
      expect(operations).toEqual(['read'])
      for (const { href, type } of links) {
        const needed = name === 'general-ledger-transactions' ? '&posted=true' : ''
        const answer = await world().send({ as: 'both', url: href + needed, headers: { accept: type } })
        expect([href, answer.status, String(answer.headers['content-type']).split(';')[0]]).toEqual([href, 200, type])
      }
      if (name === 'general-ledger-transactions') expect(parameters).toContain('posted')
    }
  })

  it('cannot ask by other methods', async () => {
    for (const url of ['/v1/access', '/v1/objects']) {
      for (const method of ['POST', 'PATCH', 'DELETE', 'PUT'] as const)
        expect((await world().send({ as: 'both', method, url })).status).toBe(405)
    }
  })
})

onEachStore(
  'A caller with rules',
  (world) => {
    it('is told what they leave out, and in which operations', async () => {
      const { json } = await world().send({ as: 'nordic', url: '/erp/v1/access' })
      expect(json.rules).toEqual([
        {
          document: 'customers',
          operations: ['customers:read', 'objects:read'],
          filter: "(countryCode eq 'NO') or (countryCode eq 'SE')",
          hidden: ['externalreference', 'payment/bankaccount'],
        },
        {
          document: 'customers',
          operations: ['customers:update'],
          filter: "countryCode eq 'NO'",
          hidden: ['externalreference', 'invoice', 'payment/bankaccount'],
        },
      ])
      expect((await world().send({ as: 'admin', url: '/erp/v1/access' })).json.rules).toEqual([])
    })

    it('finds documents of its own setup below the base path', async () => {
      const { json } = await world().send({ as: 'admin', url: '/erp/v1/objects' })
      const hrefs = json.map(({ links }: { links: { href: string }[] }) => links[0]?.href)
      expect(hrefs).toContain('/erp/v1/objects/work-orders')
      for (const url of hrefs) {
        expect((await world().send({ as: 'admin', method: 'HEAD', url })).status).toBe(
          url.includes('ledger') ? 400 : 200,
        )
      }
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/rules.yaml', '/erp'),
)
