/** A /64: a customer of a provider usually has all IPv6 addresses of one. */
const NETWORK_GROUPS = 4

/** The key for limits by client address: an IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!address.includes(':')) return address
  const [before = '', after] = (address.split('%')[0] ?? '').split('::')
  const groups = before.split(':').filter(Boolean)
  if (after !== undefined) {
    const rest = after.split(':').filter(Boolean)
    while (groups.length + rest.length < 8) groups.push('0')
    groups.push(...rest)
  }
  return `${groups.slice(0, NETWORK_GROUPS).join(':').toLowerCase()}::/64`
}
