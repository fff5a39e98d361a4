// The origin that a client has asked, for absolute URLs in answers. As with its address, what is forwarded is believed
// of trusted proxies alone.
import type { IncomingMessage } from 'node:http'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'

const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/** Such as `https://erp.example.com`. */
export function originOf(proxies: TrustedProxies, { socket, headers }: IncomingMessage): string {
  const isForwarded = proxies.has(socket.remoteAddress ?? '')
  const forwarded = (name: string) => (isForwarded ? firstOf(headers[name]) : undefined)
  const isEncrypted = forwarded('x-forwarded-proto') === 'https' || 'encrypted' in socket
  const hosts = [forwarded('x-forwarded-host'), headers.host, 'localhost']
  const host = hosts.find((one) => one !== undefined && HOST.test(one))
  // Without the port that the scheme has anyway.
  return new URL(`${isEncrypted ? 'https' : 'http'}://${host}`).origin
}

/** What the outermost proxy has written. */
function firstOf(header: string | string[] | undefined): string | undefined {
  return String(header ?? '')
    .split(',')[0]
    ?.trim()
}
