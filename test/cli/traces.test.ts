// Traces from the real process, as an OTLP receiver gets them; none without configuration.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { base64 } from '../support/documents.ts'
import { type ReceivedSpan, type Receiver, startReceiver } from '../support/otlp.ts'
import {
  call,
  credentials,
  type Folder,
  kill,
  runProcess,
  type Serving,
  serve,
  temporaryFolder,
} from '../support/process.ts'

const ARCHIVE = 'test/fixtures/documents.yaml'
const VALUE = '/v1/attribute-values/C1/CC100/0'
const VALUE_ROUTE = '/v1/attribute-values/:attributeId/*'
const SERVER = 2
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

let folder: Folder
let receiver: Receiver
let service: Serving | undefined
beforeEach(async () => {
  folder = temporaryFolder()
  receiver = await startReceiver()
})
afterEach(async () => {
  if (service) await kill(service)
  service = undefined
  folder.remove()
  await receiver.stop()
})

async function serveWith(environment: Record<string, string>, args: readonly string[] = []): Promise<Serving> {
  const all = ['--data', folder.path, '--setup', ARCHIVE, '--shutdown-grace', '0', ...args]
  service = await serve(all, { environment })
  return service
}

/** What was sent when the service has stopped. */
async function spansAtTheEnd({ child, ended }: Serving): Promise<ReceivedSpan[]> {
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  return receiver.spans()
}

function attributesOf({ attributes }: Pick<ReceivedSpan, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers: { authorization: credentials, ...headers } }).then(async (answer) => {
    await answer.arrayBuffer()
    return answer
  })

describe('with an address for traces', () => {
  it('every request is a span of its route, with its status, and what the store does is within it', async () => {
    const running = await serveWith({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    expect((await get(running.address + VALUE)).status).toBe(200)
    expect((await get(`${running.address}/v1/nowhere`)).status).toBe(404)
    const body = { attributeId: 'C1', attributeValue: 'TRACED' }
    expect((await call(`${running.address}/v1/attribute-values`, { method: 'POST', body })).status).toBe(201)
    const spans = await spansAtTheEnd(running)

    const requests = spans.filter(({ kind }) => kind === SERVER)
    expect(requests.map(({ name }) => name)).toEqual([`GET ${VALUE_ROUTE}`, 'GET', 'POST /v1/attribute-values'])
    const [read, unknown, write] = requests
    if (!read || !unknown || !write) throw new Error('a span is missing')
    expect(attributesOf(read)).toMatchObject({
      'http.request.method': 'GET',
      'http.route': VALUE_ROUTE,
      'http.response.status_code': 200,
    })
    expect(attributesOf(unknown)).not.toHaveProperty('http.route')
    expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(3)

    const ofWrite = spans.filter(({ traceId }) => traceId === write.traceId)
    const whole = ofWrite.find(({ name }) => name === 'store write')
    const within = ofWrite.find(({ name }) => name === 'store transaction')
    expect([whole?.parentSpanId, within?.parentSpanId]).toEqual([write.spanId, whole?.spanId])
    expect(spans.some(({ name, parentSpanId }) => name.startsWith('store read ') && parentSpanId === read.spanId)).toBe(
      true,
    )
    for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
    }
  })

  it('receiving, storing and reading a file belong to its request, and the extraction of its text to none', async () => {
    const running = await serveWith({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    const body = { docType: 'NOTE', title: 'Traced', fileName: 'a.txt', fileContent: base64('some words') }
    const made = await call(`${running.address}/v1/documents`, { method: 'POST', body })
    expect(made.status).toBe(201)
    const { id } = JSON.parse(made.text) as { id: string }
    expect((await get(`${running.address}/v1/documents/${id}/content`)).status).toBe(200)
    const spans = await spansAtTheEnd(running)
    const request = spans.find(({ name }) => name === 'POST /v1/documents')
    const names = spans.filter(({ traceId }) => traceId === request?.traceId).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['files receive', 'files keep', 'files read', 'store write']))
    const download = spans.find(({ name }) => name === 'GET /v1/documents/:id/content')
    expect(spans.some(({ name, parentSpanId }) => name === 'files read' && parentSpanId === download?.spanId)).toBe(
      true,
    )
    expect(spans.filter(({ kind, parentSpanId }) => kind !== SERVER && !parentSpanId)).toEqual([])
  })

  it("joins the caller's trace, and ignores an invalid one", async () => {
    const running = await serveWith({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/own/path` })
    await get(running.address + VALUE, { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'shop=1' })
    const wrong = [
      `00-${TRACE.toUpperCase()}-${PARENT}-01`,
      `00-${'0'.repeat(32)}-${PARENT}-01`,
      `ff-${TRACE}-${PARENT}-01`,
      'nonsense',
      `00-${TRACE}-${PARENT}`,
    ]
    for (const traceparent of wrong) await get(running.address + VALUE, { traceparent })
    const requests = (await spansAtTheEnd(running)).filter(({ kind }) => kind === SERVER)
    expect(requests).toHaveLength(1 + wrong.length)
    expect(requests[0]).toMatchObject({ traceId: TRACE, parentSpanId: PARENT })
    expect(requests.slice(1).filter(({ traceId, parentSpanId }) => traceId === TRACE || parentSpanId)).toEqual([])
    expect(new Set(receiver.paths)).toEqual(new Set(['/own/path']))
  })

  it('leaves out what the caller or the sampler does not record', async () => {
    const running = await serveWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    })
    await get(running.address + VALUE)
    await get(running.address + VALUE, { traceparent: `00-${TRACE}-${PARENT}-00` })
    await get(running.address + VALUE, { traceparent: `00-${TRACE}-${PARENT}-01` })
    const spans = await spansAtTheEnd(running)
    expect(spans.filter(({ kind }) => kind === SERVER)).toHaveLength(1)
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
  })

  it('has the name and the attributes that the variables give the service, and its own name without', async () => {
    const named = await serveWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_SERVICE_NAME: 'records-of-the-north',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
    })
    await get(named.address + VALUE)
    await spansAtTheEnd(named)
    const unnamed = await serveWith({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    await get(unnamed.address + VALUE)
    await spansAtTheEnd(unnamed)
    expect(receiver.resources().map(attributesOf)).toEqual([
      expect.objectContaining({ 'service.name': 'records-of-the-north', 'deployment.environment': 'test' }),
      expect.objectContaining({ 'service.name': 'tabularium' }),
    ])
  })

  it('goes on without a receiver, and says in the log that traces are lost', async () => {
    await receiver.stop()
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    }
    const running = await serveWith(environment)
    expect((await get(running.address + VALUE)).status).toBe(200)
    running.child.kill('SIGTERM')
    const { code, stderr } = await running.ended
    expect(code).toBe(0)
    expect(stderr).toContain('"msg":"traces-not-sent"')
    receiver = await startReceiver()
  })

  it('refuses to start with a sampler that does not exist', async () => {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER: 'sometimes' }
    const { code, stderr } = await runProcess(['serve', '--port', '0', '--data', folder.path], { environment })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^tabularium: OTEL_TRACES_SAMPLER is sometimes: /)])
  })
})

/** The program without the tracing SDK. (The metrics load the API only.) */
const WITHOUT_PACKAGES = [
  "import{registerHooks}from'node:module';",
  "registerHooks({resolve(name,context,next){if(name.startsWith('@opentelemetry/sdk'))throw(Error('loads'+name));",
  'return(next(name,context))}})',
].join('')
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(WITHOUT_PACKAGES)}`

describe('nothing is sent, and nothing loaded for it', () => {
  const off: [string, (url: string) => Record<string, string>][] = [
    ['without an address', () => ({})],
    ['when the variables switch it off', (url) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'true' })],
    ['when there is no exporter', (url) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_EXPORTER: 'none' })],
  ]
  it.each(off)('%s', async (_name, environment) => {
    const running = await serveWith({ ...environment(receiver.url), NODE_OPTIONS })
    expect((await get(running.address + VALUE)).status).toBe(200)
    expect(await spansAtTheEnd(running)).toEqual([])
  })

  it('otherwise it would not have started: the library is loaded', async () => {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, NODE_OPTIONS }
    const { code, stderr } = await runProcess(['serve', '--port', '0', '--data', folder.path], { environment })
    expect([code, stderr]).toEqual([1, expect.stringContaining('loads@opentelemetry/sdk')])
  })
})
