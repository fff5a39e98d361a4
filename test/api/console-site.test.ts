// The files of the console: the page with its policy and its nonce, assets that browsers keep, and nothing else.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../support/world.ts'

describe.each(['', '/web-api'])('Below the base path %j, /console', (base) => {
  let world: World & { stop(): Promise<void> }
  beforeAll(async () => {
    world = await startWorld('sqlite', 'test/fixtures/company.yaml', base)
  })
  afterAll(() => world.stop())

  const get = (path: string, headers: Record<string, string> = {}) => world.send({ url: base + path, headers })

  it('allows the page only files of the service, and styles with a nonce that is new each time', async () => {
    const [first, second] = await Promise.all([get('/console/'), get('/console/EN/grid/customers')])
    const policies = [first, second].map(({ headers }) => String(headers['content-security-policy']))
    const nonces = policies.map((policy) => /'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? '')
    expect(nonces[0]).not.toBe(nonces[1])
    expect(first.text).toContain(`<meta name="csp-nonce" content="${nonces[0]}"`)
    expect(policies[0]?.replace(nonces[0] ?? '', 'N')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types default",
    )
    expect(first.headers['cache-control']).toBe('no-store')
  })

  it('serves what the page loads below its path, to be kept, compressed for who takes it', async () => {
    const { text } = await get('/console/')
    const loaded = [...text.matchAll(/<(?:script|link)\b[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, address = '']) => address,
    )
    expect(loaded.length).toBeGreaterThan(1)
    for (const address of loaded) {
      expect(address.startsWith(`${base}/`)).toBe(true)
      const answer = await world.send({ url: address })
      expect([address, answer.status]).toEqual([address, 200])
      if (!address.includes('/console/assets/')) continue
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(answer.text).not.toContain('/BASE-PATH')
      const zipped = await world.send({ url: address, headers: { 'accept-encoding': 'gzip' } })
      expect(zipped.headers['content-encoding']).toBe('gzip')
      const again = await world.send({ url: address, headers: { 'if-none-match': String(answer.headers.etag) } })
      expect(again.status).toBe(304)
    }
  })

  it('serves what PDF.js asks for by name, and nothing else of its package', async () => {
    const { version } = JSON.parse(readFileSync('node_modules/pdfjs-dist/package.json', 'utf8'))
    const folder = `/console/assets/pdfjs-${version}`
    for (const name of ['cmaps/UniJIS-UCS2-H.bcmap', 'standard_fonts/FoxitSymbol.pfb', 'legacy/build/pdf.worker.mjs']) {
      const { status, headers } = await get(`${folder}/${name}`)
      expect([name, status, headers['cache-control']]).toEqual([name, 200, 'public, max-age=31536000, immutable'])
      expect(headers['content-type']).not.toMatch(/html/)
    }
    for (const name of ['package.json', 'web/pdf_viewer.mjs', 'cmaps', '../package.json'])
      expect((await get(`${folder}/${name}`)).headers['content-type']).toMatch(/^text\/html/)
  })

  it.each([
    '/console/sources.json',
    '/console/manifest.json',
    '/console/../package.json',
    '/console/%2e%2e/LICENSES.md',
  ])('answers %s, no file of the page, never with its content', async (path) => {
    const { text } = await get(path)
    expect(text).not.toMatch(/"hash"|"isEntry"|"dependencies"/)
  })
})
