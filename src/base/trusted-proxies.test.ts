import { describe, expect, it } from 'vitest'
import { TrustedProxies } from './trusted-proxies.ts'

const proxies = new TrustedProxies(['loopback', '10.0.0.0/8', '192.0.2.5', '2001:db8:1::/48'])

describe('the client behind trusted proxies', () => {
  it.each([
    ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['::1', '2001:db8:9::7', '2001:db8:9::7'],
    ['10.1.2.3', '198.51.100.1, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
    ['192.0.2.5', '203.0.113.9,2001:db8:1::5 , 10.0.0.1', '203.0.113.9'],
    // The proxy itself has asked.
    ['10.1.2.3', undefined, '10.1.2.3'],
    ['10.1.2.3', '10.4.4.4', '10.4.4.4'],
    // With a port, as some proxies write it.
    ['10.1.2.3', '203.0.113.9:51234', '203.0.113.9'],
    ['10.1.2.3', '[2001:db8:9::7]:443', '2001:db8:9::7'],
    // Not written by a trusted proxy.
    ['203.0.113.1', '198.51.100.1', '203.0.113.1'],
    ['192.0.2.6', '127.0.0.1', '192.0.2.6'],
    ['10.1.2.3', 'nonsense', '10.1.2.3'],
    ['10.1.2.3', '203.0.113.9, unknown, 10.4.4.4', '10.4.4.4'],
    ['10.1.2.3', '', '10.1.2.3'],
    ['10.1.2.3', ',,,', '10.1.2.3'],
    ['10.1.2.3', '203.0.113.9\n', '203.0.113.9'],
    ['', '203.0.113.9', ''],
  ])('of %s with %j is %s', (peer, forwardedFor, client) => {
    expect(proxies.clientOf(peer, forwardedFor)).toBe(client)
  })

  it('is whoever connects when none is trusted', () => {
    expect(new TrustedProxies([]).clientOf('127.0.0.1', '203.0.113.9')).toBe('127.0.0.1')
  })

  it('is found at once in a header as long as it may be', () => {
    expect(proxies.clientOf('10.1.2.3', '10.1.1.1,'.repeat(3_600))).toBe('10.1.2.3')
  })

  it.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '2001:db8::/129', 'proxy.example', '10.0.0', '10.0.0.0/-1', ''])(
    'refuses to trust %j',
    (network) => {
      expect(() => new TrustedProxies([network])).toThrow(/neither an address nor a network/)
    },
  )
})
