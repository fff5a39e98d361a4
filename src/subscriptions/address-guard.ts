// Which addresses webhooks may be sent to. Whoever may subscribe must not be able to let the service call what only the
// service can reach: each address is checked after the name is resolved, and the connection goes to what was checked.

import { promises as dns, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import { getOrInsert } from '../base/memo.ts'

type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

/** Host names and literals for which HTTP without TLS is allowed where the machine itself is, as a URL has them. */
const HTTP_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
/** The name of the machine itself among the networks that are allowed. */
const LOOPBACK = 'loopback'
/** RFC 6761: these names mean the machine itself, whatever a resolver says. */
const LOCAL_NAME = /(?:^|\.)localhost\.?$/
const LOCALHOST: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
const NOT_PUBLIC = 'the address is not public'
const MAX_TARGET_LENGTH = 2_000
/**
 * A resolver that does not answer occupies a thread of the pool that files are read with: the others must stay free.
 */
const MAX_LOOKUPS = 2
const ALL_NAMES = { group: '', member: '' }

/** The connection would go to an address that is not allowed. */
export class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS_REFUSED'
}

export class AddressGuard {
  readonly #allowed: readonly Network[]
  readonly #allowsLocal: boolean
  readonly #resolve: Resolve

  /** `allowed`: networks such as `10.0.0.0/8` whose addresses are allowed although they are private, and `loopback`. */
  constructor({
    allowed = [],
    resolve = resolveWith(MAX_LOOKUPS),
  }: { allowed?: readonly string[]; resolve?: Resolve } = {}) {
    this.#allowsLocal = allowed.includes(LOOPBACK)
    this.#allowed = allowed
      .filter((network) => network !== LOOPBACK)
      .map((network) =>
        ipaddr.parseCIDR(network.includes('/') ? network : `${network}/${isIP(network) === 4 ? 32 : 128}`),
      )
    this.#resolve = resolve
  }

  /** Why webhooks cannot be sent to the URL, as far as it tells without a look-up; undefined if they can. */
  refusalOf(target: string): string | undefined {
    const url = target.length <= MAX_TARGET_LENGTH && URL.canParse(target) ? new URL(target) : undefined
    if (!url) return `a URL of at most ${MAX_TARGET_LENGTH} characters is expected`
    if (url.username !== '' || url.password !== '') return 'a URL without user and password is expected'
    if (url.hash !== '') return 'a URL without fragment is expected'
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    if (url.protocol === 'http:' && HTTP_HOSTS.has(url.hostname)) return this.#allowsLocal ? undefined : NOT_PUBLIC
    if (url.protocol !== 'https:') return 'a URL with https is expected; http is for localhost only'
    const isAllowed = LOCAL_NAME.test(host) ? this.#allowsLocal : isIP(host) === 0 || this.#allows(host)
    return isAllowed ? undefined : NOT_PUBLIC
  }

  /** Whether what answers there may be told: of a private network no more than that it was reached. */
  tells(address: string): boolean {
    return ipaddr.isValid(address) && isPublic(ipaddr.process(address))
  }

  /** Resolves names for the connections to targets that `refusalOf` lets pass: all addresses, or an error. */
  readonly lookup: LookupFunction = (hostname, options, answer) => {
    this.#checked(hostname).then(
      (addresses) => answerLookup(addresses, options, answer),
      (error) => answer(error, []),
    )
  }

  async #checked(hostname: string): Promise<readonly LookupAddress[]> {
    const isLocal = LOCAL_NAME.test(hostname)
    if (isLocal && this.#allowsLocal) return LOCALHOST
    const addresses = isLocal ? [] : await this.#resolve(hostname)
    const wrong = addresses.find(({ address }) => !this.#allows(address))
    // The address is left out: whoever reads the attempt need not learn the addresses of a network.
    if (wrong || addresses.length === 0) throw new AddressRefused('the name resolves to an address that is not public')
    return addresses
  }

  #allows(address: string): boolean {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return this.#allowed.some((network) => contains(network, parsed)) || isPublic(parsed)
  }
}

function answerLookup(
  addresses: readonly LookupAddress[],
  options: LookupOptions,
  answer: Parameters<LookupFunction>[2],
): void {
  const [first] = addresses
  if (options.all) answer(null, [...addresses])
  else if (first) answer(null, first.address, first.family)
}

/** Asks for each name once at a time, and for few names at once. */
function resolveWith(permits: number): Resolve {
  const requested = new Map<string, Promise<readonly LookupAddress[]>>()
  const queue = new AdmissionQueue({
    inFlight: permits,
    waiting: Number.POSITIVE_INFINITY,
    refusal: () => new Error('no look-up is refused'),
  })
  const ask = (hostname: string) =>
    queue
      .run(ALL_NAMES, 1, () => dns.lookup(hostname, { all: true, order: 'verbatim' }))
      .finally(() => requested.delete(hostname))
  return (hostname) => getOrInsert(requested, hostname, () => ask(hostname))
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** The only IPv6 addresses that are assigned for use in the Internet. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')
/** Answers virtual machines of Azure with their keys, though it is a public address. */
const CLOUD_HOSTS = [ipaddr.parse('168.63.129.16')]
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

/**
 * Whether the address is one of the Internet, by the registries of special addresses, and of none that stands for
 * another.
 */
function isPublic(address: Address): boolean {
  if (CLOUD_HOSTS.some((host) => host.toString() === address.toString())) return false
  if (address.kind() === 'ipv4') return address.range() === 'unicast'
  const inner = embeddedIPv4(address as ipaddr.IPv6)
  if (inner) return isPublic(inner)
  return address.range() === 'unicast' && contains(GLOBAL_IPV6, address)
}

/** The IPv4 address that a translator (NAT64) or a tunnel (6to4) sends to. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray()
  if (contains(NAT64, address)) return new ipaddr.IPv4(bytes.slice(12))
  if (address.range() === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6))
  return undefined
}

function contains(network: Network, address: Address): boolean {
  return network[0].kind() === address.kind() && address.match(network)
}
