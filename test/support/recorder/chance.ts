// What differs between two runs of one commit, each with its reason. It is replaced before recordings are compared.

interface Chance {
  readonly reason: string
  readonly pattern: RegExp
  readonly by: string
}

const CHANCES: readonly Chance[] = [
  {
    reason: 'random ids: of requests, documents, batches, subscriptions and sessions',
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
    by: '<id>',
  },
  {
    reason: 'folders of a test have a random name',
    pattern: /(?<![\w./-])\/[\w./-]*\/tabularium-[a-z]+-\w{6}\b/g,
    by: '<folder>',
  },
  {
    reason: 'tests without a client get a new address for each request',
    pattern: /\b127\.\d+\.\d+\.\d+\b/g,
    by: '<address>',
  },
  {
    reason: 'keys of tests name their process',
    pattern: /(?<="idempotency-key":"[a-z]+-)\d{2,}(?=[-"])/g,
    by: '<process>',
  },
  {
    reason: 'sessions of the console have random names',
    pattern: /(?<=-session=|\/sessions\/)[\w-]{43}/g,
    by: '<session>',
  },
  { reason: 'secrets of webhooks are random', pattern: /(?<=whsec_)[\w+/]{43}=/g, by: '<secret>' },
  {
    reason: 'pages have a new nonce each time',
    pattern: /(?<='nonce-|csp-nonce\\?" content=\\?")[\w-]{22}/g,
    by: '<nonce>',
  },
  { reason: 'keys that sign tokens are random', pattern: /(?<="(?:x|y|kid)":")[\w-]{43}/g, by: '<key>' },
  { reason: 'proposals of agents have random handles', pattern: /(?<=handle\\?":\\?")[\w-]{24}/g, by: '<handle>' },
  {
    reason: 'contents are told to agents between random marks',
    pattern: /(?<=<\/?content-)[\w-]{16}(?=>)/g,
    by: '<mark>',
  },
  {
    reason: 'how long a client waits depends on when it began',
    pattern: /(?<="(?:ratelimit-reset|retry-after)":"|retryAfterSeconds\\?":|try again in )\d+/g,
    by: '<seconds>',
  },
  {
    reason: 'what a process has used, and how long it took',
    pattern: /^(?:nodejs|process|http_request_duration|tabularium_database_bytes)\w*(?:\{.*?\})? .*$/gm,
    by: '<measured>',
  },
  { reason: 'services of tests listen on free ports', pattern: /(?<=<address>|localhost):\d{4,5}\b/g, by: ':<port>' },
  {
    reason: 'each database signs the positions in its change feed with a key of its own',
    pattern: /(?<![\w-])((?=[\w-]*___)[\w-]{40,}?)[\w-]{23}(?![\w-])/g,
    by: '$1<signature>',
  },
  {
    reason: 'each database signs the positions in pages of OData with a key of its own',
    pattern: /(?<=skiptoken=)[\w-]{22}/g,
    by: '<signature>',
  },
  {
    reason: 'entity tags of collections and descriptions are hashes of answers with times and ids',
    pattern: /(?<=W\/\\*")[\w-]{22}(?=\\*")/g,
    by: '<tag>',
  },
  {
    reason: 'hashes of journal entries include times and ids of requests',
    pattern: /(?<=[hH]ash":")[0-9a-f]{64}(?=")/g,
    by: '<hash>',
  },
  { reason: 'tests find free ports', pattern: /(?<=--port(?: |","))[1-9]\d{3,4}\b/g, by: '<port>' },
  { reason: 'how fast an import is', pattern: /(?<![\d,])[\d,]+(?= rows\/s)/g, by: '<speed>' },
]

/** A text without what chance has made of it, and without the times of about the moment when it was recorded. */
export function withoutChance(text: string, recordedAt: string): string {
  return CHANCES.reduce(
    (rest, { pattern, by }) => rest.replaceAll(pattern, by),
    withoutTimes(text, Date.parse(recordedAt)),
  )
}

const NEAR_MS = 2 * 3_600_000
const INSTANT =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?|\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\b1[7-9]\d{8}(?:\d{3})?\b/g

/** Clocks that tests pass in give other times; the real one gives these. */
function withoutTimes(text: string, nowMs: number): string {
  const near = text.replaceAll(INSTANT, (instant) => (Math.abs(msOf(instant) - nowMs) < NEAR_MS ? '<time>' : instant))
  return near.replaceAll(new Date(nowMs).toISOString().slice(0, 10), '<today>')
}

/** The time that seconds, milliseconds or a text say. */
function msOf(instant: string): number {
  if (/^\d{10}$/.test(instant)) return Number(instant) * 1_000
  return /^\d+$/.test(instant) ? Number(instant) : Date.parse(instant.replace(/^([\d-]{10}) /, '$1T'))
}
