// The address of a bucket as one setting: `s3://bucket/prefix?endpoint=https://host:9000&region=eu-central-1&path-style=true`.

const DEFAULT_REGION = 'us-east-1'
const PARAMETERS = ['endpoint', 'region', 'path-style']

export interface S3Address {
  readonly bucket: string
  /** Ends with `/` unless it is empty. */
  readonly prefix: string
  readonly region: string
  /** Of a server that is not Amazon's. */
  readonly endpoint: string | undefined
  /** The bucket is told in the path instead of the host name. */
  readonly isPathStyle: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the address; what it does not tell is taken from the usual `AWS_` variables. Errors do not repeat it: it may hold secrets. */
export function readS3Address(text: string, environment: Environment): S3Address {
  if (!URL.canParse(text)) throw wrong('it is not a URL')
  const url = new URL(text)
  if (url.protocol !== 's3:' || url.hostname === '') throw wrong('it is not s3://bucket')
  if (url.username !== '' || url.password !== '') throw wrong('it holds credentials; set AWS_ACCESS_KEY_ID instead')
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) throw wrong(`it has an unknown parameter; legal are ${PARAMETERS.join(', ')}`)

  const given = (name: string): string | undefined => url.searchParams.get(name) ?? undefined
  const endpoint = given('endpoint') ?? environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL
  const prefix = decoded(url.pathname).replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: given('region') ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? DEFAULT_REGION,
    endpoint: endpoint === undefined ? undefined : checkedEndpoint(endpoint),
    isPathStyle: pathStyle(given('path-style'), endpoint !== undefined),
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw wrong('its prefix cannot be read')
  }
}

function checkedEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw wrong('its endpoint is not an http or https address')
  if (url.username !== '' || url.password !== '') throw wrong('its endpoint holds credentials')
  return text
}

function pathStyle(text: string | undefined, byDefault: boolean): boolean {
  if (text === undefined) return byDefault
  if (text !== 'true' && text !== 'false') throw wrong('path-style is neither true nor false')
  return text === 'true'
}

function wrong(reason: string): Error {
  return new Error(`the s3 address of the file store is wrong: ${reason}`)
}
