import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { OpenGuard } from '../../test/support/webhooks/open-guard.ts'
import { AddressGuard } from './address-guard.ts'
import { WebhookSender } from './webhook-sender.ts'

const PEM = readFileSync(join(import.meta.dirname, '../../test/fixtures/webhooks.example.pem'))
const BODY = '{"specversion":"1.0"}'

const servers: Server[] = []
const senders: WebhookSender[] = []
afterEach(() => {
  for (const one of senders.splice(0)) one.close()
  for (const server of servers.splice(0)) server.close()
})

async function listening(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
  return (server.address() as AddressInfo).port
}

function sender(settings: ConstructorParameters<typeof WebhookSender>[0] = {}): WebhookSender {
  const made = new WebhookSender({ timeoutMs: 120_000, guard: new OpenGuard(), ...settings })
  senders.push(made)
  return made
}

const receiver = (answer: RequestListener) => listening(createServer(answer))
const request = (target: string) => ({ target, headers: { 'content-type': 'text/plain' }, body: BODY })

/** An answer without a body. */
const plain = (status: number, headers: Record<string, string> = {}) => {
  return (_request: IncomingMessage, response: ServerResponse) => response.writeHead(status, headers).end('said')
}

describe('an attempt to deliver', () => {
  it('sends the body and the headers, and is delivered by any 2xx', async () => {
    const seen: { method?: string | undefined; headers?: NodeJS.Dict<unknown>; body?: string } = {}
    const port = await receiver((incoming, response) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk) => chunks.push(chunk))
      incoming.on('end', () => {
        Object.assign(seen, { method: incoming.method, headers: incoming.headers, body: String(Buffer.concat(chunks)) })
        response.writeHead(204, { 'set-cookie': 'a=b' }).end()
      })
    })
    const one = sender()
    expect(await one.send(request(`http://localhost:${port}/hooks?a=b`))).toMatchObject({
      outcome: 'delivered',
      status: 204,
      excerpt: '',
    })
    expect(seen).toMatchObject({
      method: 'POST',
      body: BODY,
      headers: { host: `localhost:${port}`, 'content-type': 'text/plain', 'content-length': String(BODY.length) },
    })
    await one.send(request(`http://127.0.0.1:${port}/`))
    expect(seen.headers).not.toHaveProperty('cookie')
  })

  it.each([400, 404, 410, 500, 503])('has failed when the answer is %i', async (status) => {
    const port = await receiver(plain(status))
    expect(await sender().send(request(`http://127.0.0.1:${port}/`))).toMatchObject({
      outcome: 'status',
      status,
      excerpt: 'said',
    })
  })

  it('tells nothing of what a private address has answered but its status', async () => {
    const port = await receiver(plain(500))
    const local = sender({ guard: new AddressGuard({ allowed: ['loopback'] }) })
    const reply = await local.send(request(`http://localhost:${port}/`))
    expect(reply).toMatchObject({ outcome: 'status', status: 500, excerpt: '' })
  })

  it.each([301, 302, 303, 307, 308])('does not follow %i', async (status) => {
    let count = 0
    const port = await receiver((_incoming, response) => {
      count++
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    expect(await sender().send(request(`http://127.0.0.1:${port}/`))).toMatchObject({ outcome: 'status', status })
    expect(count).toBe(1)
  })

  it('tells what Retry-After asks for', async () => {
    const port = await receiver(plain(429, { 'retry-after': '120' }))
    expect((await sender().send(request(`http://127.0.0.1:${port}/`))).retryAfterMs).toBe(120_000)
    const dated = await receiver(plain(503, { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' }))
    expect((await sender().send(request(`http://127.0.0.1:${dated}/`))).retryAfterMs).toBe(0)
    const wrong = await receiver(plain(503, { 'retry-after': 'soon' }))
    expect((await sender().send(request(`http://127.0.0.1:${wrong}/`))).retryAfterMs).toBeUndefined()
  })

  it('keeps 200 characters of the answer, and none that a terminal obeys', async () => {
    const port = await receiver((_incoming, response) => response.end(`a\u001b[31m\r\nb${'\u20ac'.repeat(1_000)}`))
    const { excerpt } = await sender().send(request(`http://127.0.0.1:${port}/`))
    expect(excerpt).toBe(`a [31m b${'\u20ac'.repeat(192)}`)
  })

  it('reads no endless answer', async () => {
    let sent = 0
    let isClosed = false
    const port = await receiver((_incoming, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x'))) sent += 16_384
      }
      response.on('drain', more).on('close', () => {
        isClosed = true
      })
      more()
    })
    const { outcome, excerpt } = await sender().send(request(`http://127.0.0.1:${port}/`))
    expect([outcome, excerpt]).toEqual(['delivered', 'x'.repeat(200)])
    await expect.poll(() => isClosed).toBe(true)
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it('ends in time: without an answer, in the middle of one, and when the name is never found', async () => {
    const silent = await receiver(() => {})
    const started = await receiver((_incoming, response) => response.writeHead(200).write('a'))
    const unknown = new AddressGuard({ resolve: () => new Promise(() => {}) })
    const one = sender({ timeoutMs: 50 })
    expect(await one.send(request(`http://127.0.0.1:${silent}/`))).toMatchObject({ outcome: 'timeout', status: 0 })
    expect(await one.send(request(`http://127.0.0.1:${started}/`))).toMatchObject({ outcome: 'timeout', status: 0 })
    const lost = sender({ timeoutMs: 50, guard: unknown })
    expect(await lost.send(request('https://hooks.example.com/'))).toMatchObject({ outcome: 'timeout' })
  })

  it('knows a closed port, a broken connection and an answer that is no HTTP', async () => {
    const port = await receiver(plain(200))
    servers.pop()?.close()
    expect(await sender().send(request(`http://127.0.0.1:${port}/`))).toMatchObject({ outcome: 'refused', status: 0 })
    const reset = await listening(
      createTcpServer((socket: Socket) => socket.once('data', () => socket.resetAndDestroy())),
    )
    expect(await sender().send(request(`http://127.0.0.1:${reset}/`))).toMatchObject({ outcome: 'reset' })
    const other = await listening(createTcpServer((socket: Socket) => socket.once('data', () => socket.end('hello'))))
    expect(await sender().send(request(`http://127.0.0.1:${other}/`))).toMatchObject({ outcome: 'reset' })
  })

  it('uses a connection again, and takes no failure from one that was closed meanwhile', async () => {
    const sockets = new Set<Socket>()
    let count = 0
    const port = await receiver((incoming, response) => {
      sockets.add(incoming.socket)
      count++
      // The second request on a connection finds it closed.
      if (count === 3) incoming.socket.resetAndDestroy()
      else response.end()
    })
    const one = sender()
    for (let at = 0; at < 3; at++) {
      expect(await one.send(request(`http://127.0.0.1:${port}/`))).toMatchObject({ outcome: 'delivered' })
    }
    expect(sockets.size).toBe(2)
    expect(count).toBe(4)
  })

  it('sends nothing to an address that is not allowed', async () => {
    const mixed = new AddressGuard({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    const one = sender({ guard: mixed })
    expect(await one.send(request('https://10.0.0.1/'))).toMatchObject({
      outcome: 'address',
      excerpt: 'the address is not public',
    })
    expect(await one.send(request('https://hooks.example.com/'))).toMatchObject({
      outcome: 'address',
      excerpt: 'the name resolves to an address that is not public',
    })
  })

  it('is given up by its signal', async () => {
    const port = await receiver(() => {})
    const { outcome } = await sender().send(request(`http://127.0.0.1:${port}/`), AbortSignal.timeout(20))
    expect(outcome).toBe('timeout')
  })
})

describe('a TLS connection', () => {
  const trusted = getCACertificates('default')
  afterAll(() => setDefaultCACertificates(trusted))
  const guard = new AddressGuard({
    allowed: ['127.0.0.0/8'],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })

  it('is refused without a trusted certificate, whatever the environment says', async () => {
    const port = await listening(createTlsServer({ key: PEM, cert: PEM }, plain(200)))
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const reply = await sender({ guard }).send(request(`https://webhooks.example:${port}/`))
      expect(reply).toMatchObject({ outcome: 'tls', excerpt: 'no trusted TLS connection' })
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
  })

  it('goes to the checked address, and names the host to the receiver and in the certificate', async () => {
    const seen: unknown[] = []
    const port = await listening(
      createTlsServer({ key: PEM, cert: PEM }, (incoming, response) => {
        seen.push(incoming.headers.host, (incoming.socket as Socket & { servername?: string }).servername)
        response.end()
      }),
    )
    setDefaultCACertificates([...trusted, String(PEM)])
    const one = sender({ guard })
    expect(await one.send(request(`https://webhooks.example:${port}/`))).toMatchObject({ outcome: 'delivered' })
    expect(seen).toEqual([`webhooks.example:${port}`, 'webhooks.example'])
    expect(await one.send(request(`https://other.example:${port}/`))).toMatchObject({ outcome: 'tls' })
    expect(await one.send(request(`https://127.0.0.1:${port}/`))).toMatchObject({ outcome: 'tls' })
  })

  it('is not made with a receiver without TLS', async () => {
    const port = await receiver(plain(200))
    expect(await sender({ guard }).send(request(`https://webhooks.example:${port}/`))).toMatchObject({ outcome: 'tls' })
  })
})
