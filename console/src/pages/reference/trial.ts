// A request that somebody tries, as an address, as curl and as TypeScript.
import { shellQuoted } from '../../service/shell-quote.ts'
import type { ApiParameter, Operation } from './description.ts'

/** The texts of the form, by the place and name of each parameter. */
export type Given = Readonly<Record<string, string>>

export const givenKey = ({ in: place, name }: ApiParameter): string => `${place} ${name}`

/** What a body may have: JSON alone is typed by people. */
export const JSON_TYPES = ['application/json', 'application/json-patch+json'] as const

/** The path and query from the service's root; undefined while a parameter of the path is missing. */
export function addressOfTrial({ path, parameters = [] }: Operation, given: Given): string | undefined {
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  if (inPath.some((parameter) => (given[givenKey(parameter)] ?? '') === '')) return undefined
  const filled = inPath.reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, encodeURIComponent(given[givenKey(parameter)] ?? '')),
    path,
  )
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (given[givenKey(parameter)] ?? '') !== '')
    .map((parameter) => `${parameter.name}=${encodeURIComponent(given[givenKey(parameter)] ?? '')}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

export function headersOfTrial({ parameters = [] }: Operation, given: Given): Record<string, string> {
  return Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'header' && (given[givenKey(parameter)] ?? '') !== '')
      .map((parameter) => [parameter.name, given[givenKey(parameter)] ?? '']),
  )
}

interface PrintedTrial {
  readonly method: string
  /** With the service's own address. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export function asCurl({ method, url, headers, body }: PrintedTrial): string {
  const parts = [
    'curl -s -u CLIENT:SECRET',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shellQuoted(body)}`]),
    shellQuoted(url),
  ]
  return parts.join(' ')
}

export function asTypeScript({ method, url, headers, body }: PrintedTrial): string {
  const { origin, pathname, search } = new URL(url)
  const base = pathname.slice(0, Math.max(pathname.search(/\/(?:v\d+|odata|health|oauth|openapi)\b/), 0))
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    `path: ${JSON.stringify(pathname.slice(base.length) + search)}`,
    ...(Object.keys(headers).length === 0 ? [] : [`headers: ${JSON.stringify(headers)}`]),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`]),
  ]
  return `import { createClient } from '@tabularium/client'

const service = createClient({ url: ${JSON.stringify(origin + base)}, clientId: 'CLIENT', clientSecret: process.env.CLIENT_SECRET ?? '' })
const answer = await service.request({
  ${options.join(',\n  ')},
})
`
}
