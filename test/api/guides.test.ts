// The guides at /docs: the built site, served whole by the service itself, and found only by its own names.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namesIn } from '../../src/http/system/site-files.ts'
import { injectInto } from '../support/inject.ts'
import { startWorld, type World } from '../support/world.ts'

const SITE = new URL('../../dist/guides/', import.meta.url)

describe.each(['', '/web-api'])('Below the base path %j, /docs', (base) => {
  let world: World & { stop(): Promise<void> }
  beforeAll(async () => {
    world = await startWorld('sqlite', 'test/fixtures/company.yaml', base)
  })
  afterAll(() => world.stop())

  const get = (url: string, headers: Record<string, string> = {}) => world.send({ url, headers })
  /** Addresses of this service that a page names, as its browser resolves them, without their anchors. */
  const linksIn = (html: string, page = `${base}/docs`) =>
    [...html.matchAll(/ (?:href|src)="([^"]+)"/g)]
      .map(([, link = '']) => new URL(link, `http://guides${page}`))
      .filter(({ host }) => host === 'guides')
      .map(({ pathname }) => pathname)

  /** All pages that can be reached from the first by links. */
  async function pages(): Promise<Map<string, string>> {
    const read = new Map<string, string>()
    const visit = async (address: string): Promise<void> => {
      if (read.has(address)) return
      const { status, text, headers } = await get(address)
      expect([address, status]).toEqual([address, 200])
      const isPage = String(headers['content-type']).startsWith('text/html')
      read.set(address, isPage ? text : '')
      for (const link of isPage ? linksIn(text, address) : []) await visit(link)
    }
    await visit(`${base}/docs`)
    return read
  }

  it('has the guides: every link and every file of every page is answered, and all are of this service', async () => {
    const read = await pages()
    const addresses = [...read.keys()]
    expect(addresses).toContain(`${base}/docs/api`)
    expect(addresses).toContain(`${base}/docs/start/tutorial`)
    const others = addresses.filter((address) => !/^\/docs(?:\/|$)/.test(address.slice(base.length)))
    expect(others).toEqual([`${base}/openapi.json`])
    for (const text of read.values()) {
      const loaded = [...text.matchAll(/<(?:script|link|img|iframe)\b[^>]* (?:src|href)="([^"]+)"/g)]
      for (const [, address = ''] of loaded) expect(address.startsWith(`${base}/docs/assets/`), address).toBe(true)
      expect(text).not.toContain('/BASE-PATH')
    }
  })

  it('shows pictures as what they are, byte by byte', async () => {
    const [, picture = ''] =
      /<img src="([^"]+\.png)"/.exec((await get(`${base}/docs/administration/console`)).text) ?? []
    const { headers, bytes } = await get(picture)
    expect(headers['content-type']).toBe('image/png')
    expect(bytes.equals(readFileSync('docs/console/ledger-light.png'))).toBe(true)
  })

  it('answers the same page with and without the slash', async () => {
    expect((await get(`${base}/docs`)).text).toBe((await get(`${base}/docs/`)).text)
  })

  it('prints the address that is asked in what one pastes, in pages and in what their scripts show', async () => {
    for (const host of ['erp.example.com', '10.0.0.5:9000', 'erp.example.com']) {
      const { text } = await get(`${base}/docs/start/tutorial`, { host })
      expect(text).toContain(`http://${host}${base}/v1`)
      expect(text).not.toContain('http://127.0.0.1:8080')
      // What a browser loads that comes from another page.
      const script = namesIn(SITE)?.find((name) => /start_tutorial\.md\.[\w-]+\.js$/.test(name))
      expect((await get(`${base}/docs/${script}`, { host })).text).toContain(`http://${host}${base}/v1`)
    }
    const { text } = await get(`${base}/docs/start/tutorial`, { host: '"><script>' })
    expect(text).toContain(`http://localhost${base}/v1`)
  })

  it('says at /docs/api where every endpoint is described when no script runs, and loads the viewer from its own files', async () => {
    const page = await get(`${base}/docs/api`)
    const [, withoutScript = ''] = /<noscript>([\s\S]*?)<\/noscript>/.exec(page.text) ?? []
    expect(withoutScript).toContain('Without JavaScript')
    expect(linksIn(withoutScript)).toEqual([`${base}/openapi.json`])
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' /)
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-|https?:/)
    const viewer = namesIn(SITE)?.find((name) => name.startsWith('assets/swagger-ui-bundle.'))
    const script = await get(`${base}/docs/${viewer}`)
    expect([script.status, script.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect((await world.send({ url: `${base}/docs/${viewer}`, method: 'HEAD' })).headers.etag).toBe(script.headers.etag)
    // No other page names it.
    expect((await get(`${base}/docs/start/tutorial`)).text).not.toContain('swagger-ui')
  })

  it('allows only scripts of its own, each inline one by its hash', async () => {
    const { text, headers } = await get(`${base}/docs/start/tutorial`)
    const policy = String(headers['content-security-policy'])
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? []
    const inline = [...text.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)]
    const hashes = inline.map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(hashes.length).toBeGreaterThan(0)
    expect(scripts.toSorted()).toEqual(["'self'", ...hashes].toSorted())
    expect(text).not.toMatch(/ on\w+="/)
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  })

  it('lets assets be kept forever and pages be asked about: 304 while they are the same', async () => {
    const page = await get(`${base}/docs/start/tutorial`)
    expect(page.headers['cache-control']).toBe('no-cache')
    const again = await get(`${base}/docs/start/tutorial`, { 'if-none-match': String(page.headers.etag) })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', page.headers.etag])
    const [asset = ''] = linksIn(page.text).filter((link) => link.endsWith('.css'))
    const style = await get(asset)
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect(style.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it('is sent compressed to whoever takes it, and to HEAD without the page', async () => {
    const url = `${base}/docs/start/tutorial`
    const { text } = await get(url)
    const zipped = await injectInto(world.application.server, { url, headers: { 'accept-encoding': 'gzip' } })
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(text)
    const head = await world.send({ url, method: 'HEAD' })
    expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'text/html; charset=utf-8'])
  })

  const ELSEWHERE = [
    'no-such-page',
    '../package.json',
    '..%2f..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    'assets/',
  ]

  it.each([...ELSEWHERE, 'assets/..%5c..%5cpackage.json', 'index.html%00', '//etc/passwd'])(
    'answers %s with a page that it is not there, or with no page at all',
    async (name) => {
      const { status, text } = await get(`${base}/docs/${name}`)
      expect([400, 401, 404]).toContain(status)
      expect(text).not.toMatch(/"dependencies"|root:/)
    },
  )

  it('says in a page of the site what is not there', async () => {
    const { status, text, headers } = await get(`${base}/docs/no-such-page`)
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(text).toContain(`href="${base}/docs/assets/`)
  })

  it('is searched by an index of its own', async () => {
    const { text } = await get(`${base}/docs/`)
    const [app = ''] = linksIn(text).filter((link) => /\/theme\.[\w-]+\.js$/.test(link))
    const chunk = async (name: RegExp, from: string) => {
      const [file = ''] = name.exec(from) ?? []
      const { status, text: code } = await get(`${base}/docs/assets/chunks/${file}`)
      expect([file, status]).toEqual([file, 200])
      return code
    }
    const box = await chunk(/VPLocalSearchBox\.[\w-]+\.js/, (await get(app)).text)
    expect(await chunk(/@localSearchIndexroot\.[\w-]+\.js/, box)).toContain('threat')
  })
})

describe('What the guides name', () => {
  let world: World & { stop(): Promise<void> }
  beforeAll(async () => {
    world = await startWorld('sqlite', 'test/fixtures/own-records.yaml')
  })
  afterAll(() => world.stop())

  const PLACEHOLDERS = [
    [/\{companyId\}/g, 'EN'],
    [/\{entitySet\}|\{name\}(?=\/(?:batch|\{key\}))|(?<=\/v1\/)\{name\}$/g, 'suppliers'],
    [/(?<=objects\/)(?:\{name\}|NAME)/g, 'customers'],
    [/\{revisionNo\}|\{periodFrom\}/g, '0'],
    [/\{\w+\}/g, 'X'],
  ] as const
  const NAMED =
    /`(?:(GET|HEAD|POST|PATCH|DELETE) )?(\/(?:v1|odata|console|docs|metrics|health|openapi|mcp|oauth|\.well-known)\b[^`\s?…]*)[^`…]*`/g

  it('has every function of filters on its page', async () => {
    const { json } = await world.send({ as: 'integration', url: "/v1/objects/customers?$filter=none() eq 'x'" })
    const functions: string[] = /functions are (.*)$/.exec(json.message)?.[1]?.split(', ') ?? []
    expect(functions.length).toBeGreaterThan(10)
    const page = readFileSync('guides/query/functions.md', 'utf8')
    expect(functions.filter((name) => !page.includes(`${name}(`))).toEqual([])
  })

  it('are addresses of the service, for the methods that they name', async () => {
    const pages = globSync(['README.md', 'guides/**/*.md'])
    const found = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(NAMED)].map(([, method = '', path = '']) => `${method} ${path}`),
    )
    const addresses = [...new Set(found)].filter((one) => !/\/(?:v1|odata\/v4|health)\/?$/.test(one))
    expect(addresses.length).toBeGreaterThan(70)
    for (const address of addresses) {
      const [method = '', path = ''] = address.split(' ')
      const url = PLACEHOLDERS.reduce((text, [name, value]) => text.replaceAll(name, value), path)
      const put = await world.send({ as: 'integration', method: 'PUT', url })
      const { json } = await world.send({ as: 'integration', url })
      const isRead = ['', 'GET', 'HEAD'].includes(method) && json?.code !== 1030
      const methods = put.status === 405 ? String(put.headers.allow).split(', ') : []
      expect({ address, isThere: isRead || methods.includes(method || 'POST') }).toEqual({ address, isThere: true })
    }
  })
})
