import { text } from 'node:stream/consumers'
import { request } from '../../base/process/node-http.ts'
import type { ServeSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const TIMEOUT_MS = 5_000
/** Addresses to listen on that stand for all of this machine. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Prints `ready`, or throws with what the service says. */
export async function requireReady(
  { host, port, basePath }: Pick<ServeSettings, 'host' | 'port' | 'basePath'>,
  terminal: Terminal,
): Promise<void> {
  const { status, body } = await ask(LOOPBACK[host] ?? host, port, `${basePath}/health/ready`)
  if (status !== 200) throw new Error(`the service at ${host}:${port} is not ready: ${status} ${body}`)
  terminal.stdout.write('ready\n')
}

function ask(host: string, port: number, path: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const requested = request({ host, port, path, signal: AbortSignal.timeout(TIMEOUT_MS) }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject)
    })
    requested.on('error', (cause) => reject(new Error(`no service answers at ${host}:${port}`, { cause })))
    requested.end()
  })
}
