// Parses the address of a bucket: `s3://bucket/prefix?endpoint=https://host:9000&region=eu-central-1&path-style=true`.

const DEFAULT_REGION = 'us-east-1'
const PARAMETERS = ['endpoint', 'region', 'path-style', 'checksum']

export interface S3Address {
  readonly bucket: string
  /** Empty, or ends with `/`. */
  readonly prefix: string
  readonly region: string
  /** Address of an S3 service other than Amazon's. */
  readonly endpoint: string | undefined
  /** Whether the bucket name is in the path instead of the host name. */
  readonly isPathStyle: boolean
  /** What uploads are checked by; older services do not know SHA-256. */
  readonly checksum: S3Checksum
}

export type S3Checksum = 'sha256' | 'md5'

export type Environment = Readonly<Record<string, string | undefined>>

/** Parses the address; defaults come from the usual `AWS_` variables. Errors do not repeat it: it may hold secrets. */
export function readS3Address(text: string, environment: Environment): S3Address {
  if (!URL.canParse(text)) throw invalidAddress('it is not a URL')
  const url = new URL(text)
  if (url.protocol !== 's3:' || url.hostname === '') throw invalidAddress('it is not s3://bucket')
  if (url.username !== '' || url.password !== '')
    throw invalidAddress('it holds credentials; set AWS_ACCESS_KEY_ID instead')
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) throw invalidAddress(`it has an unknown parameter; legal are ${PARAMETERS.join(', ')}`)

  const given = (name: string): string | undefined => url.searchParams.get(name) ?? undefined
  const endpoint = given('endpoint') ?? environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL
  const prefix = decodePrefix(url.pathname).replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: given('region') ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? DEFAULT_REGION,
    endpoint: endpoint === undefined ? undefined : checkEndpoint(endpoint),
    isPathStyle: parsePathStyle(given('path-style'), endpoint !== undefined),
    checksum: parseChecksum(given('checksum')),
  }
}

function decodePrefix(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw invalidAddress('its prefix cannot be read')
  }
}

function checkEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw invalidAddress('its endpoint is not an http or https address')
  if (url.username !== '' || url.password !== '') throw invalidAddress('its endpoint holds credentials')
  return text
}

function parsePathStyle(text: string | undefined, defaultValue: boolean): boolean {
  if (text === undefined) return defaultValue
  if (text !== 'true' && text !== 'false') throw invalidAddress('path-style is neither true nor false')
  return text === 'true'
}

function parseChecksum(text = 'sha256'): S3Checksum {
  if (text !== 'sha256' && text !== 'md5') throw invalidAddress('checksum is neither sha256 nor md5')
  return text
}

function invalidAddress(reason: string): Error {
  return new Error(`the s3 address of the file store is wrong: ${reason}`)
}
