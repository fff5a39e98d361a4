/** Whoever has one address of IPv6 usually has all of these bits after it. */
const NETWORK_GROUPS = 4

/** By what a caller's address is counted: an address of IPv4, or the network (/64) of one of IPv6. */
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
