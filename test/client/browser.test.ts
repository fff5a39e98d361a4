// The built package as a module of a page, in a real browser, asking the service at the page's own origin.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../support/demo.ts'

const PACKAGE = join(import.meta.dirname, '../../packages/client')
/** Packages with a browser: both come with the development of the project, and not to every machine. */
const BROWSER = ['playwright-core', '@sparticuz/chromium'] as const
const isInstalled = BROWSER.every((name) => existsSync(join(import.meta.dirname, '../../node_modules', name)))

/** Serves the page and the modules; everything else goes to the service, as through a proxy. */
function pageServer(service: URL): Server {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/') return response.setHeader('content-type', 'text/html').end('<title>page</title>')
    const file = join(PACKAGE, 'dist', path.replace('/client/', ''))
    if (path.startsWith('/client/') && existsSync(file)) {
      return response.setHeader('content-type', 'text/javascript').end(readFileSync(file))
    }
    const socket = connect(Number(service.port), service.hostname)
    const lines = Object.entries({ ...request.headers, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    socket.write(`${request.method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    request.pipe(socket, { end: false })
    socket.pipe(response.socket!)
  })
  return server
}

describe.skipIf(!isInstalled)('the client in a page', () => {
  let demo: Demo
  let server: Server
  beforeAll(async () => {
    execFileSync('npm', ['run', '-s', 'build'], { cwd: PACKAGE })
    demo = await startDemo(10)
    server = pageServer(new URL(demo.address))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    server?.close()
    server?.closeAllConnections()
    await demo?.stop()
  })

  it('lists customers, sends a document with progress, and tells a problem', async () => {
    const [{ chromium }, { default: packed }] = await Promise.all(BROWSER.map((name) => import(name)))
    const browser = await chromium.launch({
      args: packed.args,
      executablePath: await packed.executablePath(),
      headless: true,
    })
    try {
      const page = await browser.newPage()
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await page.goto(origin)
      const told = await page.evaluate(`(async () => {
        const { createClient, NotFoundProblem } = await import('/client/index.js')
        const service = { url: location.origin, clientId: 'demo', clientSecret: 'demo-secret' }
        const client = createClient(service)
        const rows = await client.objects.customers.list({ select: 'customerId', limit: 3 })
        const progress = []
        const file = { fileName: 'page.txt', content: 'from a page' }
        const onProgress = (sent, all) => progress.push(sent === all)
        const sent = await client.documents.create({ docType: 'NOTE', title: 'A page' }, file, { onProgress })
        const problem = await client.customers.get('NOBODY').catch((thrown) => thrown)
        return [rows.length, sent.isVerified, progress, problem instanceof NotFoundProblem]
      })()`)
      expect(told).toEqual([3, true, [false, true], true])
    } finally {
      await browser.close()
    }
  })
})
