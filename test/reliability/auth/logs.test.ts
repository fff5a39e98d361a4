// A4: secrets of callers and administrators appear in no log, metric or span: canary values are sent through every
// entry point.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { base64 } from '../../support/documents.ts'
import { type Receiver, startReceiver } from '../../support/otlp.ts'
import { call, kill, linesOf, run, type Serving, serve } from '../../support/process.ts'
import { reliabilityTest } from '../../support/reliability-test.ts'
import { newDatabase } from '../../support/test-database.ts'
import { CLIENT_SECRET, FEWER_KINDS } from '../../support/world.ts'

const SETUP = 'test/fixtures/documents.yaml'
/** Each is unlike any text of the service, in any case and in base64. */
const CANARIES = {
  token: 'canarytoken51b2',
  secret: 'canarysecret7c90',
  password: 'canarypassword3d1e',
  content: 'canarycontent88f4',
  filter: 'canaryfilter60aa',
  body: 'canarybody19c7',
  header: 'canaryheader2e05',
} as const
const FORBIDDEN = [...Object.values(CANARIES), CLIENT_SECRET]

interface Operation {
  readonly method: string
  readonly path: string
}

describe.each(FEWER_KINDS)('A4 on %s, of canaries in every request', (kind) => {
  let folder = ''
  let receiver: Receiver
  let service: Serving
  let token = ''
  let metrics = ''
  let described = ''
  let log = ''

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tabularium-logs-'))
    receiver = await startReceiver()
    const database = kind === 'postgres' ? await newDatabase({ password: CANARIES.password }) : undefined
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${CANARIES.header}`,
      OTEL_BSP_SCHEDULE_DELAY: '200',
      ...(database ? { TABULARIUM_DATABASE: database } : {}),
    }
    const args = ['--data', folder, '--setup', SETUP, '--log-level', 'debug', '--shutdown-grace', '0']
    service = await serve([...args, '--thumbnails', 'render'], { environment })
    token = await getToken(service.address)
    await callEverything(service.address, token)
    await fileEverything(service.address, token)
    await authenticateWrongly(service.address)
    metrics = (await call(`${service.address}/metrics`)).text
    for (const path of ['/openapi.json', '/docs/api']) described += (await call(service.address + path)).text
    service.child.kill('SIGTERM')
    log = (await service.ended).stderr
  })
  afterAll(async () => {
    if (service) await kill(service)
    await receiver?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('A4 the log has none', () =>
    reliabilityTest('A4', `secrets in the log, ${kind}`, async () => {
      expect(leaksIn(log, token)).toEqual([])
      const kinds = new Set(linesOf(log).map((line) => (JSON.parse(line) as { msg: string }).msg))
      expect([...kinds]).toEqual(expect.arrayContaining(['request-refused', 'text-read', 'thumbnail-answered']))
      expect([...kinds]).not.toContain('request-failed')
      return `${linesOf(log).length} lines`
    }))

  it('A4 the metrics have none', () =>
    reliabilityTest('A4', `secrets in the metrics, ${kind}`, async () => {
      expect(metrics.includes('http_requests_total')).toBe(true)
      expect(leaksIn(metrics, token)).toEqual([])
      return `${linesOf(metrics).length} lines`
    }))

  it('A4 the description has none', () =>
    reliabilityTest('A4', `secrets in the description, ${kind}`, async () => {
      expect(described).toMatch(/"openapi".*<html/s)
      expect(leaksIn(described, token)).toEqual([])
      expect(described).not.toContain(folder)
      return `${described.length} characters`
    }))

  it('A4 the spans have none', () =>
    reliabilityTest('A4', `secrets in the spans, ${kind}`, async () => {
      expect(receiver.spans().length).toBeGreaterThan(50)
      expect(leaksIn(receiver.bodies.join('\n'), token)).toEqual([])
      return `${receiver.spans().length} spans`
    }))
})

describe('A4 a start that fails', () => {
  it('does not log the password of a database that cannot be reached', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabularium-logs-'))
    const database = `postgres://app:${CANARIES.password}@127.0.0.1:1/records`
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--data', folder, '--database', database])
    expect(code).toBe(1)
    expect(leaksIn(stdout + stderr, '')).toEqual([])
    rmSync(folder, { recursive: true, force: true })
  })

  it('does not log the content of a file of keys', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabularium-logs-'))
    const keys = join(folder, 'keys.json')
    writeFileSync(keys, `{"keys":[{"kty":"EC","d":"${CANARIES.secret}`)
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--data', folder, '--keys', keys, '--verbose'])
    expect(code).toBe(1)
    expect(leaksIn(stdout + stderr, '')).toEqual([])
    rmSync(folder, { recursive: true, force: true })
  })
})

function leaksIn(text: string, token: string): string[] {
  const small = text.toLowerCase()
  const whole = [...FORBIDDEN, ...(token === '' ? [] : [token, token.split('.')[2] ?? ''])]
  const encoded = FORBIDDEN.map((one) => base64(one).slice(0, 16))
  return [...whole.filter((one) => small.includes(one.toLowerCase())), ...encoded.filter((one) => text.includes(one))]
}

async function getToken(address: string): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'integration',
    client_secret: CLIENT_SECRET,
  })
  const answer = await fetch(`${address}/oauth/token`, { method: 'POST', body: form })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Calls every operation of the description with canaries in its query and body, well-formed and malformed. */
async function callEverything(address: string, token: string): Promise<void> {
  const description = JSON.parse((await call(`${address}/openapi.json`)).text) as { paths: Record<string, object> }
  const operations: Operation[] = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({ method: method.toUpperCase(), path })),
  )
  expect(operations.length).toBeGreaterThan(30)
  const { filter } = CANARIES
  const queries = [
    `$filter=attributeValue eq '${filter}'&$select=${filter}`,
    `$filter=contains(description,'${filter}') and '${filter}'`,
    `$orderby=${filter}&$limit=${filter}&companyId=${filter}&search=${filter}&width=${filter}`,
    `validateOnly=${filter}`,
  ]
  const bodies = [
    JSON.stringify({
      [CANARIES.body]: CANARIES.body,
      attributeId: CANARIES.body,
      title: CANARIES.body,
      fileContent: CANARIES.content,
    }),
    JSON.stringify([{ op: CANARIES.body, path: `/${CANARIES.body}`, value: CANARIES.body }]),
    `{"attributeId": "${CANARIES.body}`,
    CANARIES.body,
  ]
  for (const { method, path } of operations) {
    const url = address + path.replaceAll(/\{\w+\}/g, '1')
    for (const [at, query] of queries.entries()) {
      const hasBody = method !== 'GET' && method !== 'HEAD'
      await fetch(`${url}?${encodeURI(query)}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'idempotency-key': CANARIES.header,
          'if-match': CANARIES.header,
          'accept-language': CANARIES.header,
          cookie: CANARIES.header,
          ...(hasBody ? { 'content-type': 'application/json' } : {}),
        },
        ...(hasBody ? { body: bodies[at] ?? '' } : {}),
      }).then((answer) => answer.arrayBuffer())
    }
  }
}

/** Uploads readable and unreadable contents, and reads them back in every way. */
async function fileEverything(address: string, token: string): Promise<void> {
  const { content } = CANARIES
  const office = zipSync({
    '[Content_Types].xml': strToU8(`<Types><Default Extension="${content}"`),
    'word/document.xml': strToU8(`<w:document><${content}></w:p>${content}`),
  })
  const contents: Record<string, Buffer> = {
    'a.txt': Buffer.from(content),
    'a.html': Buffer.from(`<p>${content}</p><script>${content}`),
    'a.docx': Buffer.from(office),
    'a.pdf': Buffer.from(`%PDF-1.4\n1 0 obj<</Type/${content}>>endobj\n${content}\ntrailer<</Root 1 0 R /${content}`),
    'a.png': Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(content), deflateRawSync(content)]),
    [`${CANARIES.body}.txt`]: Buffer.from(content),
  }
  const authorization = `Bearer ${token}`
  for (const [fileName, bytes] of Object.entries(contents)) {
    const body = { docType: 'NOTE', title: CANARIES.body, fileName, fileContent: base64(bytes) }
    const made = await call(`${address}/v1/documents`, { method: 'POST', body, authorization })
    if (made.status !== 201) continue
    const { id } = JSON.parse(made.text) as { id: string }
    for (const more of ['', '/content', '/thumbnail?width=64&height=64', '/thumbnail?width=64&height=64']) {
      await call(`${address}/v1/documents/${id}${more}`, { authorization })
    }
  }
  // Texts are extracted in sequence, unreadable ones included; a picture has none.
  const texts = Object.keys(contents).filter((fileName) => !fileName.endsWith('.png'))
  for (;;) {
    const { text } = await call(`${address}/metrics`)
    const done = [...text.matchAll(/^tabularium_texts_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count))
    if (done.reduce((sum, count) => sum + count, 0) >= texts.length) break
    await new Promise((resume) => setTimeout(resume, 100))
  }
}

async function authenticateWrongly(address: string): Promise<void> {
  const { secret, token } = CANARIES
  const wrong = [
    `Bearer ${token}`,
    `Bearer eyJhbGciOiJub25lIn0.${base64(JSON.stringify({ sub: token }))}.${token}`,
    `Basic ${base64(`integration:${secret}`)}`,
    `Basic ${secret}`,
    `${secret} ${token}`,
  ]
  for (const authorization of wrong) await call(`${address}/v1/documents`, { authorization })
  for (const form of [`client_id=integration&client_secret=${secret}`, `client_secret=${secret}`, secret]) {
    const body = new URLSearchParams(`grant_type=client_credentials&${form}`)
    await fetch(`${address}/oauth/token?client_secret=${secret}`, { method: 'POST', body })
  }
  await fetch(`${address}/oauth/token`, { method: 'POST', body: `{"client_secret":"${secret}"}` })
}
