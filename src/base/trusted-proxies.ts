// The proxies in front of the service, and the address of a client behind them. What `X-Forwarded-For` says is believed
// only as far as trusted proxies have written it: from the right up to the first address that is no trusted proxy.
import { BlockList, isIP } from 'node:net'

/** The name of the addresses of the machine itself. */
const LOOPBACK = ['127.0.0.0/8', '::1']
/** Some proxies add the port. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/

export class TrustedProxies {
  readonly #networks = new BlockList()
  readonly #isNone: boolean

  /** Addresses, networks such as `10.0.0.0/8`, and `loopback`. Throws for anything else. */
  constructor(networks: readonly string[]) {
    this.#isNone = networks.length === 0
    for (const network of networks.flatMap((one) => (one === 'loopback' ? LOOPBACK : [one]))) this.#add(network)
  }

  has(address: string): boolean {
    return !this.#isNone && this.#networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }

  /** The address of the client whose request came from `peer`, with this value of `X-Forwarded-For`. */
  clientOf(peer: string, forwardedFor: string | undefined): string {
    if (forwardedFor === undefined || !this.has(peer)) return peer
    let client = peer
    for (const hop of forwardedFor.split(',').reverse()) {
      const address = addressIn(hop.trim())
      // No proxy writes anything else: the client has sent it.
      if (address === undefined) return client
      client = address
      if (!this.has(client)) return client
    }
    return client
  }

  #add(network: string): void {
    const [address = '', prefix, ...more] = network.split('/')
    const version = isIP(address)
    const bits = version === 6 ? 128 : 32
    const length = prefix === undefined ? bits : Number(prefix)
    if (version === 0 || more.length > 0 || !/^\d{1,3}$/.test(prefix ?? '0') || length > bits)
      throw new Error(`'${network}' is neither an address nor a network such as 10.0.0.0/8, nor loopback`)
    this.#networks.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4')
  }
}

function addressIn(hop: string): string | undefined {
  const [, bracketed, dotted] = WITH_PORT.exec(hop) ?? []
  const address = bracketed ?? dotted ?? hop
  return isIP(address) === 0 ? undefined : address
}
