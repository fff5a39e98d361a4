// Addresses of the service.
import type { ClientRequest, QueryValue } from './request.ts'

/**
 * A path whose parts may have any characters. Throws for `.` and `..`, which no record has as a key: `fetch` takes them
 * for steps, to the address of another record.
 */
export function pathTo(...parts: readonly (string | number)[]): string {
  const step = parts.find((part) => part === '.' || part === '..')
  if (step !== undefined) throw new RangeError(`No address can have the key '${step}'.`)
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('')
}

/** Throws for a path that would change the host: it would get the token. */
export function requirePath(path: string): void {
  if (!path.startsWith('/')) throw new RangeError(`A path begins with '/': '${path}'.`)
}

/** The address of a request, with the company of the client where it names none itself. */
export function addressOf(baseUrl: string, defaultCompany: string | undefined, request: ClientRequest): string {
  const { path, query = {}, body, validateOnly, company = defaultCompany } = request
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const text = textOf(value)
    return text === undefined ? [] : [[name, text] as const]
  })
  if (validateOnly) pairs.push(['validateOnly', 'true'])
  const isNamed = /[?&]companyid=/i.test(path) || [...pairs.map(([name]) => name), ...namesIn(body)].some(isCompany)
  if (company !== undefined && !isNamed) pairs.push(['companyId', company])
  if (pairs.length === 0) return baseUrl + path
  const text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  return `${baseUrl}${path}${path.includes('?') ? '&' : '?'}${text}`
}

/** The company that a request names; empty for the default one. */
export function companyNamed(address: string, body: unknown): string {
  const pairs = [...new URLSearchParams(address.split('?').slice(1).join('?')), ...Object.entries(named(body))]
  const [, company = ''] = pairs.find(([name]) => isCompany(name.replace(/^\$/, ''))) ?? []
  return String(company).toLowerCase()
}

/**
 * The absolute address of a link that was answered to `from`. Throws for another origin: it would get the token.
 */
export function linkedAddress(link: string, baseUrl: string): string {
  const origin = new URL(baseUrl).origin
  const address = new URL(link, origin)
  if (address.origin !== origin) throw new Error(`The link leads to another host: ${address.origin}`)
  return address.href
}

/** The target of `rel="next"` in a `Link` header (RFC 8288). */
export function nextLink(headers: Headers): string | undefined {
  return /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get('link') ?? '')?.[1]
}

function textOf(value: QueryValue): string | undefined {
  if (value === undefined || value === null) return undefined
  return value instanceof Date ? value.toISOString() : String(value)
}

const isCompany = (name: string) => name.toLowerCase() === 'companyid'

/** A record that is sent may name its company itself. */
function named(body: unknown): object {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
}

const namesIn = (body: unknown) => Object.keys(named(body))
