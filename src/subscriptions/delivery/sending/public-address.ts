// Which addresses are those of hosts in the Internet, by the registries of special addresses.
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Network = [Address, number]

/** The only IPv6 addresses that are assigned for use in the Internet. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')
/** Answers virtual machines of Azure with their keys, though it is a public address. */
const CLOUD_HOSTS = [ipaddr.parse('168.63.129.16')]
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

/** Whether the address is one of the Internet, and of none that stands for another one. */
export function isPublic(address: Address): boolean {
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

export function contains(network: Network, address: Address): boolean {
  return network[0].kind() === address.kind() && address.match(network)
}
