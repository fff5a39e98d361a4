// The protocol of OData: versions, formats, methods, both forms of the metadata, addresses behind a proxy, files that
// open entity sets, and what Power Query and Tableau send.
import { expect, it } from 'vitest'
import { startObjects } from '../support/object-records.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

const ROOT = '/erp/odata/v4/EN'
const CUSTOMERS = `${ROOT}/customers?$select=customerId&$top=1`
const ACCEPT_MINIMAL = 'application/json;odata.metadata=minimal'
/** As Power Query sends it, also for the metadata. */
const POWER_QUERY = {
  'user-agent': 'Microsoft.Data.Mashup (https://go.microsoft.com/fwlink/?LinkID=304225)',
  maxdataserviceversion: '3.0',
  'odata-maxversion': '4.0',
  accept:
    'application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7',
}
const error = (status: number, code: string, message: string) => ({
  status,
  json: { error: { code, message } },
  answerHeaders: { 'odata-version': '4.0' },
})
const version = (value: string) => ({ url: CUSTOMERS, headers: { 'odata-maxversion': value } })
const accepting = (accept: string) => ({ url: CUSTOMERS, headers: { accept } })

const scenarios: Scenario[] = [
  { name: 'answers clients of OData 4.01', ...version('4.01'), status: 200 },
  {
    name: 'refuses clients that know earlier versions alone',
    ...version('3.0'),
    ...error(400, '1020', "OData-MaxVersion is '3.0', but answers are of OData 4.0."),
  },
  {
    name: 'refuses a version that is none',
    ...version('four'),
    ...error(400, '1020', "OData-MaxVersion is 'four', but answers are of OData 4.0."),
  },
  {
    name: 'refuses clients that take no JSON',
    ...accepting('application/atom+xml'),
    ...error(406, '1020', "Answers are application/json, which 'application/atom+xml' does not accept."),
  },
  ...['', '*', '*;q=.2', 'text/html, *', '*/*;q=0.1', 'application/*'].map((accept) => ({
    name: `takes '${accept}' for whatever there is`,
    ...accepting(accept),
    status: 200,
    json: { '@odata.context': expect.any(String), value: expect.any(Array) },
  })),
  {
    name: 'answers 501 for full metadata',
    ...accepting('application/json;odata.metadata=full'),
    ...error(501, '1020', 'Not supported: odata.metadata=full.'),
  },
  {
    name: 'takes the format of the greatest weight that it has',
    ...accepting('application/json;odata.metadata=full,application/json;odata.metadata=none;q=0.5,*/*;q=0.1'),
    status: 200,
    json: { value: [{ customerId: '1001' }] },
    answerHeaders: { 'content-type': 'application/json;odata.metadata=none;IEEE754Compatible=false;charset=utf-8' },
  },
  {
    name: 'answers an entity without metadata',
    url: `${ROOT}/customers('1001')?$select=customerId&$format=application/json;odata.metadata=none`,
    status: 200,
    json: { customerId: '1001' },
  },
  {
    name: 'answers absolute addresses of entity sets without a context',
    url: `${ROOT}?$format=json;odata.metadata=none`,
    status: 200,
    includes: {
      value: expect.arrayContaining([expect.objectContaining({ url: `http://localhost${ROOT}/customers` })]),
    },
  },
  {
    name: 'answers 501 for batches of any type',
    method: 'POST',
    url: `${ROOT}/$batch`,
    headers: { 'content-type': 'multipart/mixed; boundary=b' },
    body: '--b--',
    ...error(501, '1020', 'Not supported: $batch.'),
  },
  {
    name: 'reads only',
    method: 'PATCH',
    url: `${ROOT}/customers('1001')`,
    body: {},
    ...error(405, '1030', `The method PATCH is not supported by '${ROOT}/customers('1001')'. Allowed: GET, HEAD.`),
    answerHeaders: { allow: 'GET, HEAD', 'odata-version': '4.0' },
  },
  {
    name: 'answers unknown paths in the form of OData, however long',
    url: `${ROOT}/a/b/c/d`,
    ...error(404, '1030', `No resource matches the URI '${ROOT}/a/b/c/d'.`),
  },
  {
    name: 'answers in its own form what cannot be decoded',
    url: `${ROOT}/%zz`,
    ...error(400, '1010', 'The path is not percent-encoded UTF-8.'),
  },
  {
    name: 'answers in its own form a company that is too long',
    url: `/erp/odata/v4/${'x'.repeat(513)}/customers`,
    ...error(414, '1010', 'A value in the path is longer than 512 characters.'),
  },
  {
    name: 'answers in its own form who is not known, also to another method',
    as: undefined,
    method: 'DELETE',
    url: CUSTOMERS,
    ...error(401, '401', 'Invalid JWT.'),
  },
  {
    name: 'has no file of a set that it has not',
    url: `${ROOT}/link-files/nothing.odc`,
    ...error(404, '1030', `No resource matches the URI '${ROOT}/link-files/nothing.odc'.`),
  },
]

onEachStore(
  'The protocol of OData',
  (world) => {
    const get = (path: string, headers: Record<string, string> = {}, from?: string) =>
      world().send({ as: 'integration', url: ROOT + path, headers, ...(from ? { from } : {}) })
    runScenarios(world, scenarios)

    it('asks for Basic credentials, so that Excel prompts for them', async () => {
      const { status, headers } = await world().send({ url: `${ROOT}/`, headers: POWER_QUERY })
      expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('Basic realm=')])
    })

    it('answers HEAD with the headers of GET', async () => {
      for (const url of [ROOT, `${ROOT}/$metadata`, CUSTOMERS, `${ROOT}/customers/$count`]) {
        const [got, head] = await Promise.all(
          (['GET', 'HEAD'] as const).map((method) => world().send({ as: 'integration', method, url })),
        )
        const { 'x-request-id': _own, date: _date, ...headers } = got?.headers ?? {}
        expect([url, head?.status, head?.text]).toEqual([url, 200, ''])
        expect(head?.headers).toMatchObject(headers)
      }
    })

    it('describes itself in JSON of OData 4.01 to clients that take no XML', async () => {
      const { headers, json } = await get('/$metadata', { accept: 'application/json' })
      expect([headers['odata-version'], json.$Version]).toEqual(['4.01', '4.01'])
      const { customers, customers_invoice, Container } = json.Tabularium
      expect(customers).toMatchObject({ $Kind: 'EntityType', $Key: ['customerId'] })
      expect(customers.invoice).toEqual({ $Type: 'Tabularium.customers_invoice' })
      expect(customers_invoice.creditLimit).toMatchObject({ $Type: 'Edm.Decimal', $Precision: 18 })
      expect(customers.contactPoints).toMatchObject({ $Type: 'Tabularium.customers_contactPoints', $Collection: true })
      expect(Container.customers.$NavigationPropertyBinding.contactPoints).toBe('customers_contactPoints')
      const { text } = await get('/$metadata', { accept: 'application/json', 'odata-maxversion': '4.0' })
      expect(text).toMatch(/^<\?xml/)
      const members = (type: object) => Object.keys(type).filter((name) => !name.startsWith('$'))
      for (const [, name = '', inside = ''] of text.matchAll(
        /<(?:Entity|Complex)Type Name="(\w+)">(.*?)<\/\w+Type>/g,
      )) {
        const declared = [...inside.matchAll(/<(?:Navigation)?Property Name="(\w+)"/g)].map(([, member]) => member)
        expect([name, declared]).toEqual([name, members(json.Tabularium[name])])
      }
    })

    it('answers 304 while its description is the same', async () => {
      for (const path of ['', '/$metadata']) {
        const { etag } = (await get(path)).headers
        const again = await get(path, { 'if-none-match': String(etag) })
        expect([again.status, again.text]).toEqual([304, ''])
      }
    })

    it('escapes texts of the setup in the metadata', async () => {
      const { text } = await get('/$metadata')
      expect(text).toMatch(/<Annotation Term="Org.OData.Core.V1.Description" String="[^"<]+"\/>/)
      expect(text).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/)
    })

    it('answers Power Query: the root, the metadata, an entity set and the next pages', async () => {
      const root = await get('/', POWER_QUERY)
      expect(root.json['@odata.context']).toBe(`http://localhost${ROOT}/$metadata`)
      expect(root.headers['content-type']).toMatch(ACCEPT_MINIMAL)
      const metadata = await get('/$metadata', POWER_QUERY)
      expect(metadata.headers['content-type']).toBe('application/xml;charset=utf-8')
      const rows: string[] = []
      let next: string | undefined = `${ROOT}/customers?%24select=customerId%2CcustomerName&%24top=3`
      while (next !== undefined) {
        const headers = { ...POWER_QUERY, prefer: 'odata.maxpagesize=2' }
        const { status, json } = await world().send({ as: 'integration', url: next, headers })
        expect(status).toBe(200)
        rows.push(...json.value.map(({ customerId }: { customerId: string }) => customerId))
        next = json['@odata.nextLink']?.replace('http://localhost', '')
      }
      expect(rows).toHaveLength(Math.min(3, Number((await get('/customers/$count')).text)))
    })

    it('answers Tableau, which selects nothing', async () => {
      const headers = { accept: 'application/json', 'odata-version': '4.0', 'odata-maxversion': '4.0' }
      const { json } = await get('/', headers)
      for (const { url } of json.value.slice(0, 8)) {
        expect([url, (await get(`/${url}`, headers)).status]).toEqual([url, 200])
        expect([url, (await get(`/${url}?$top=1&$skip=0`, headers)).status]).toEqual([url, 200])
      }
    })

    it('makes addresses of what a trusted proxy has been asked, and of nobody else', async () => {
      const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'erp.example.com' }
      const contextOf = async (headers: Record<string, string>, from: string) =>
        (await get('', headers, from)).json['@odata.context']
      expect(await contextOf(forwarded, '10.1.2.3')).toBe(`https://erp.example.com${ROOT}/$metadata`)
      expect(await contextOf(forwarded, '192.0.2.7')).toBe(`http://localhost${ROOT}/$metadata`)
      for (const host of ['a"><script>', 'evil.example/x?', 'a b']) {
        const hostile = { ...forwarded, 'x-forwarded-host': host }
        expect(await contextOf(hostile, '10.1.2.3')).toMatch(/^https:\/\/localhost(?::80)?\/erp\/odata\//)
      }
    })

    it('has files that open entity sets in Excel and Power BI', async () => {
      const power = await get('/link-files/tabularium.pbids')
      expect(power.headers['content-disposition']).toBe('attachment; filename=tabularium-EN.pbids')
      expect(power.json.connections[0].details).toEqual({
        protocol: 'odata',
        address: { url: `http://localhost${ROOT}` },
      })
      for (const option of ['$filter=nowhere', '$top=1', '$nothing=1']) {
        expect([option, (await get(`/link-files/tabularium.pbids?${option}`)).status]).toEqual([option, 400])
      }
      const excel = await get('/link-files/customers.odc')
      expect([excel.headers['content-type'], excel.headers['content-disposition']]).toEqual([
        'text/x-ms-odc;charset=utf-8',
        'attachment; filename=customers-EN.odc',
      ])
      const formula = formulaIn(excel.text)
      expect(formula).toContain(`OData.Feed("http://localhost${ROOT}", null, [Implementation = "2.0"])`)
      expect(formula).toContain('Source{[Name = "customers", Signature = "table"]}[Data]')
    })

    it('has files that ask in Excel what is asked of them', async () => {
      const apply = `filter(countryCode eq 'N"#(O')/groupby((countryCode),aggregate($count as customers))`
      const file = `/link-files/customers.odc?$apply=${encodeURIComponent(apply)}`
      const formula = formulaIn((await get(file)).text)
      const [, url = ''] = /OData\.Feed\("(.*?)", null/.exec(formula) ?? []
      expect(url).toBe(`http://localhost${ROOT}/customers?$apply=${encodeURIComponent(apply)}`)
      expect((await get(url.slice(`http://localhost${ROOT}`.length))).json.value).toEqual([])
      expect(await get('/link-files/customers.odc?$apply=groupby((nothing))')).toMatchObject({ status: 400 })
      expect(await get('/link-files/customers.odc?$count=true')).toMatchObject({ status: 400 })
      expect(await get('/link-files/customers.odc?$compute=1%20as%20x')).toMatchObject({ status: 501 })
    })
  },
  (kind) => startObjects(kind, { trustedProxies: ['10.0.0.0/8'] }, '/erp'),
)

/** The query in Power Query's language that an Office Data Connection holds. */
function formulaIn(file: string): string {
  const unescaped = (text = '') =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const [, data] = /<odc:PowerQueryMashupData>(.*?)<\/odc:PowerQueryMashupData>/s.exec(file) ?? []
  const [, formula] = /<Formula>(.*?)<\/Formula>/s.exec(unescaped(data)) ?? []
  return unescaped(formula)
}
