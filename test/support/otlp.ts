// A receiver of traces (OTLP over HTTP, JSON) for the tests, on a free port.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code?: number }
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

export interface Receiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  /** The body of every request, in the order of arrival. */
  readonly bodies: readonly string[]
  /** The request path of each body. */
  readonly paths: readonly string[]
  spans(): ReceivedSpan[]
  /** The senders, one for each body. */
  resources(): Pick<ReceivedSpan, 'attributes'>[]
  stop(): Promise<void>
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: ReceivedSpan['attributes'] }
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[]
  }[]
}

export async function startReceiver(): Promise<Receiver> {
  const bodies: string[] = []
  const paths: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      bodies.push((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString())
      paths.push(request.url ?? '')
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    paths,
    spans: () =>
      bodies
        .flatMap((body) => (JSON.parse(body) as Sent).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resources: () => bodies.flatMap((body) => (JSON.parse(body) as Sent).resourceSpans.map(({ resource }) => resource)),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
