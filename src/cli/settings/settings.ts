// The options that several commands share. Each can also be set by an environment variable TABULARIUM_...

import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { messageOf } from '../../base/thrown.ts'
import { TrustedProxies } from '../../base/trusted-proxies.ts'
import { readPostgresUrl } from '../../databases/postgres/url.ts'

export interface StoreFlags {
  readonly data: string
  readonly database?: string
  readonly pooled?: boolean
  readonly keys?: string
  readonly attach?: readonly string[]
  /** In milliseconds. */
  readonly queryTimeout: number
  readonly checkpoint: 'auto' | 'off'
}

export interface WebhookFlags {
  readonly webhookNetworks?: readonly string[]
}

export interface ServeSettings extends StoreFlags, WebhookFlags {
  readonly port: number
  readonly host: string
  readonly reusePort?: boolean
  readonly setup?: string
  readonly readDatabase?: string
  readonly basePath: string
  readonly shutdownGrace: number
  readonly logLevel: string
  readonly files?: string
  readonly backups?: string
  readonly thumbnails: 'icon' | 'render'
  readonly workers: number
  readonly rateRequests?: number
  /** No flag has it: the quota of the demo's faults. */
  readonly rateMegabytes?: number
  readonly trustProxy?: readonly string[]
  readonly allowOrigin?: readonly string[]
  /** In milliseconds. */
  readonly overloadDelay: number
}

/** An option with an environment variable, which the help shows. */
export function setting(flags: string, description: string): Option {
  const option = new Option(flags, description)
  return option.env(`TABULARIUM_${option.name().replaceAll('-', '_').toUpperCase()}`)
}

/** One that a single feature needs: the help of `serve` lists it, and that of other commands leaves it out. */
function special(flags: string, description: string): Option {
  return setting(flags, description).hideHelp()
}

/** Options or commands stand under a heading of their own in the help. */
export function grouped<Item extends { helpGroup(heading: string): Item }>(heading: string, items: readonly Item[]) {
  return items.map((item) => item.helpGroup(heading))
}

export function withOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option)
  return command
}

export function storeSettings(): Option[] {
  return grouped('Storage:', [
    setting('--data <folder>', 'folder of the embedded database and the signing keys').default('./data'),
    setting(
      '--database <url>',
      'postgres://user@host/name, its password in PGPASSWORD or ~/.pgpass; absent: SQLite in the data folder',
    ).argParser(parseDatabaseUrl),
    special('--pooled', 'the address of the database is that of a pooler that pools transactions, such as PgBouncer'),
    special('--attach <name=file...>', 'SQLite files to read documents of a setup from, as name.table').argParser(
      parseAttachedFile,
    ),
    setting('--query-timeout <seconds>', 'a query that takes longer is stopped')
      .default(30_000, '30')
      .argParser(parseQueryTimeout),
    special(
      '--checkpoint <when>',
      'of the log of the SQLite database; off: another program does it, such as Litestream',
    )
      .choices(['auto', 'off'])
      .default('auto'),
    setting(
      '--keys <file>',
      'private JWK set that signs tokens, the signing key first; absent: kept in the data folder',
    ),
  ])
}

/** The options that select the database, for commands that do not open records. */
export function databaseSettings(): Option[] {
  return storeSettings().filter((option) => ['data', 'database'].includes(option.name()))
}

export function serveSettings(): Option[] {
  return [
    ...grouped('Addresses and processes:', [
      setting('--port <number>', 'port to listen on; 0 picks a free one').default(8080).argParser(parsePort),
      setting('--host <address>', 'address to listen on').default('127.0.0.1'),
      setting('--base-path <path>', 'path prefix under which everything is answered, such as /web-api')
        .default('')
        .argParser(parseBasePath),
      setting(
        '--workers <count>',
        'processes that answer requests, on one port and one database; auto: one for each core',
      )
        .default(availableParallelism(), 'auto')
        .argParser(parseWorkerCount),
      special(
        '--reuse-port',
        'another service on the database may take over the port without a gap (Linux, PostgreSQL)',
      ),
      special(
        '--shutdown-grace <seconds>',
        'how long new requests are still served after SIGTERM, until a balancer has noticed',
      )
        .default(0)
        .argParser(parseSeconds),
      setting(
        '--trust-proxy <addresses>',
        'proxies whose X-Forwarded-For names the client: addresses, networks such as 10.0.0.0/8, loopback; absent: none',
      ).argParser(parseNetworks),
      special(
        '--allow-origin <origins>',
        'origins whose pages may call the service from a browser (CORS), such as https://app.example.com; absent: none',
      ).argParser(parseOrigins),
      webhookSetting(),
    ]),
    ...storeSettings(),
    ...grouped('Storage:', [
      special('--read-database <url>', 'streaming replica of the PostgreSQL database, for reads').argParser(
        parseDatabaseUrl,
      ),
      filesSetting(),
      special(
        '--backups <folder>',
        'folder in which administrators take backups in the console; absent: they take none',
      ),
      special('--thumbnails <kind>', 'of a PDF: its icon, or its first page (render)')
        .choices(['icon', 'render'])
        .default('icon'),
    ]),
    ...grouped('Limits:', [
      setting(
        '--rate-requests <number>',
        'requests that a client may send in any minute; 500 is sensible; absent: any number',
      ).argParser(parsePositive),
      // For tests, which share a slow machine.
      setting('--overload-delay <milliseconds>', 'a request that waits longer for those before it is refused (503)')
        .default(500)
        .argParser(parsePositive)
        .hideHelp(),
    ]),
    ...grouped('Log:', [
      setting('--log-level <level>', 'least level of the log on standard error')
        .choices(['debug', 'info', 'warn', 'error', 'fatal', 'silent'])
        .default('info'),
    ]),
  ]
}

/** For all that decides where webhooks may be sent to. */
export function webhookSetting(): Option {
  return setting(
    '--webhook-networks <networks>',
    'private networks that webhooks may be sent to, such as 10.0.0.0/8, or loopback; absent: the Internet alone',
  ).argParser(parseNetworks)
}

/** The location of file contents. Credentials for S3 come from the usual AWS_ variables. */
export function filesSetting(): Option {
  return setting(
    '--files <url>',
    'folder or s3://bucket/prefix for file contents (?endpoint=... for other stores than AWS); absent: in the data folder',
  ).argParser(parseFilesUrl)
}

export function parsePositive(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw new InvalidArgumentError('It must be a whole number above 0.')
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a port from 0 to 65535.')
}

/** The option is repeatable; the environment variable is a comma-separated list. */
function parseAttachedFile(text: string, before: readonly string[] | undefined): string[] {
  const files = text.split(',')
  if (files.every((one) => /^[a-z]\w*=./i.test(one) && !/^(main|temp)=/i.test(one)))
    return [...(before ?? []), ...files]
  throw new InvalidArgumentError('It must be a name and a file, like erp=/path/erp.db.')
}

function parseNetworks(text: string, before: readonly string[] = []): readonly string[] {
  const networks = text.split(',').map((network) => network.trim())
  try {
    new TrustedProxies(networks)
  } catch (error) {
    throw new InvalidArgumentError(`${messageOf(error)}.`)
  }
  return [...before, ...networks]
}

function parseOrigins(text: string, before: readonly string[] = []): readonly string[] {
  const origins = text.split(',').map((one) => {
    const origin = one.trim()
    if (/^https?:\/\/[^/?#@*]+$/i.test(origin) && URL.canParse(origin)) return new URL(origin).origin
    throw new InvalidArgumentError(`'${origin}' is no origin: it has a scheme, a host, and perhaps a port.`)
  })
  return [...before, ...origins]
}

/** Returns milliseconds. */
function parseQueryTimeout(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) > 0) return Number(text) * 1000
  throw new InvalidArgumentError('It must be a whole number of seconds from 1 to 9999.')
}

/** Converts the options to the settings of the store. */
export function storeOptions({ data, database, pooled, attach, queryTimeout, checkpoint }: StoreFlags) {
  return {
    data,
    database,
    isPooled: pooled,
    attached: attach,
    queryTimeoutMs: queryTimeout,
    leavesLog: checkpoint === 'off',
  }
}

function parseSeconds(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of seconds up to 999.')
}

/** Each returns the address as its driver takes it, or undefined when it is of another database. */
const DATABASE_URLS = [readPostgresUrl]

/** As a person answers which database is meant. */
export const EMBEDDED_DATABASE = 'sqlite'
export const DATABASES = `${EMBEDDED_DATABASE}, or the address of a PostgreSQL database`

export function parseDatabaseUrl(text: string): string {
  try {
    const url = DATABASE_URLS.map((read) => read(text)).find((one) => one !== undefined)
    if (url !== undefined) return url
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error))
  }
  throw new InvalidArgumentError('It must be an address like postgres://user:password@host:5432/name.')
}

/** Removes the trailing slash: `/` and the empty text both mean no prefix. */
function parseBasePath(text: string): string {
  const path = text.replace(/\/+$/, '')
  if (path === '' || /^(\/[\w.~-]+)+$/.test(path)) return path
  throw new InvalidArgumentError('It must be a path like /web-api.')
}

function parseFilesUrl(text: string): string {
  if (/^[a-z][\w+.-]*:/i.test(text) && !/^s3:\/\/[^/]+/.test(text)) {
    throw new InvalidArgumentError('It must be a folder or an address like s3://bucket/prefix.')
  }
  return text
}

/** Above the number of cores of any expected machine. */
const MAX_WORKERS = 64

function parseWorkerCount(text: string): number {
  if (text === 'auto') return availableParallelism()
  if (/^\d{1,2}$/.test(text) && Number(text) > 0 && Number(text) <= MAX_WORKERS) return Number(text)
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_WORKERS}, or auto.`)
}
