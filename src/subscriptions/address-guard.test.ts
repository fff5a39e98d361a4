import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { AddressGuard, AddressRefused } from './address-guard.ts'

/** Hosts as a URL may write them. Decimal, octal, hexadecimal and short forms are all the same to it. */
const REFUSED_HOSTS = [
  ...['127.0.0.1', '127.1', '127.255.255.254', '2130706433', '0x7f000001', '0177.0.0.1', '017700000001', '0x7f.1'],
  ...['0.0.0.0', '0', '0.1.2.3', '00000000000', '10.0.0.1', '10.255.255.255', '0xa000001', '012.0.0.1', '167772161'],
  ...['172.16.0.1', '172.31.255.255', '0254.020.0.1', '192.168.0.1', '192.168.257', '3232235521', '0xc0.0xa8.0.1'],
  ...['169.254.169.254', '2852039166', '0251.0376.0251.0376', '169.254.0.1', '100.64.0.1', '100.100.100.200'],
  ...['100.127.255.255', '192.0.0.192', '192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '198.19.255.255'],
  ...['192.88.99.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '4294967295', '168.63.129.16'],
  ...['%31%32%37.0.0.1', '127.0.0.1.', '\u2460\u2461\u2466.0.0.1', '\uff11\uff10.0.0.1'],
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a00:1]'],
  ...['[::ffff:169.254.169.254]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]'],
  ...['[64:ff9b:1::10.0.0.1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2002:c0a8:1::]', '[2001::1]', '[fe80::1]'],
  ...['[febf::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[fdff::1]', '[ff02::1]', '[2001:db8::1]', '[3fff::1]'],
  ...['[100::1]', '[5f00::1]', '[4000::1]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]'],
]
const ALLOWED_HOSTS = [
  ...['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1', '134744072'],
  ...['[2606:4700:4700::1111]', '[::ffff:8.8.8.8]', '[64:ff9b::8.8.8.8]', '[2002:808:808::1]', 'example.com'],
]

const NAME = 'hooks.example.com'

/** Answers a look-up as the system does: one answer after the other. */
function guardWith(...answers: (readonly string[])[]) {
  const resolve = async (): Promise<LookupAddress[]> =>
    (answers.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return new AddressGuard({ resolve })
}

function lookUp(guard: AddressGuard, hostname = NAME, all = true): Promise<unknown> {
  return new Promise((resolve, reject) => {
    guard.lookup(hostname, { all }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  })
}

describe('the addresses of webhooks', () => {
  const guard = new AddressGuard()

  it('are at least 60 that are refused', () => {
    expect(new Set(REFUSED_HOSTS).size).toBe(REFUSED_HOSTS.length)
    expect(REFUSED_HOSTS.length).toBeGreaterThanOrEqual(60)
  })

  it.each(REFUSED_HOSTS)('refuses https://%s/, also with a port and a path', (host) => {
    expect(guard.refusalOf(`https://${host}/`)).toBe('the address is not public')
    expect(guard.refusalOf(`https://${host}:8443/a?b=c`)).toBe('the address is not public')
  })

  it.each(REFUSED_HOSTS)('refuses a name that resolves to %s', async (host) => {
    const literal = new URL(`https://${host}/`).hostname.replaceAll(/[[\]]|\.$/g, '')
    await expect(lookUp(guardWith([literal]))).rejects.toBeInstanceOf(AddressRefused)
    await expect(lookUp(guardWith(['8.8.8.8', literal]))).rejects.toBeInstanceOf(AddressRefused)
  })

  it.each(ALLOWED_HOSTS)('allows https://%s/', (host) => {
    expect(guard.refusalOf(`https://${host}/hooks`)).toBeUndefined()
  })

  it('gives a connection the very addresses that were checked, with one look-up', async () => {
    const twoFaced = guardWith(['8.8.8.8', '2606:4700:4700::1111'], ['127.0.0.1'], ['8.8.4.4'])
    expect(await lookUp(twoFaced)).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ])
    // The next connection looks the name up anew, and is refused.
    await expect(lookUp(twoFaced)).rejects.toThrow('not public')
    expect(await lookUp(twoFaced, NAME, false)).toBe('8.8.4.4')
  })

  it('refuses a name without addresses, and one whose look-up fails', async () => {
    await expect(lookUp(guardWith([]))).rejects.toBeInstanceOf(AddressRefused)
    const failing = new AddressGuard({ resolve: () => Promise.reject(new Error('no such name')) })
    await expect(lookUp(failing)).rejects.toThrow('no such name')
  })

  it.each([
    ...[
      'http://localhost:1234/hooks',
      'http://LOCALHOST/',
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://0x7f.1/',
    ],
    ...['http://[::1]:9/', 'https://localhost/', 'https://localhost./', 'https://a.localhost/'],
  ])('allows %s, the machine itself, to those alone who are let', (target) => {
    const local = new AddressGuard({ allowed: ['loopback'] })
    expect([guard.refusalOf(target), local.refusalOf(target)]).toEqual(['the address is not public', undefined])
  })

  it('never asks a resolver where localhost is', async () => {
    const resolve = async () => [{ address: '8.8.8.8', family: 4 }]
    for (const name of ['localhost', 'a.localhost', 'localhost.']) {
      await expect(lookUp(new AddressGuard({ resolve }), name)).rejects.toBeInstanceOf(AddressRefused)
      expect(await lookUp(new AddressGuard({ resolve, allowed: ['loopback'] }), name)).toEqual([
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ])
    }
  })

  it.each([...REFUSED_HOSTS, 'localhost'])('tells nothing of what %s answers, whoever is let', (host) => {
    const literal = new URL(`https://${host}/`).hostname.replaceAll(/[[\]]|\.$/g, '')
    expect(new AddressGuard({ allowed: ['0.0.0.0/0', '::/0'] }).tells(literal)).toBe(false)
  })

  it.each([
    ['http://example.com/', 'https is expected'],
    ['http://127.0.0.2/', 'https is expected'],
    ['http://localhost./', 'https is expected'],
    ['http://localhost.example.com/', 'https is expected'],
    ['ftp://example.com/', 'https is expected'],
    ['file:///etc/passwd', 'https is expected'],
    ['https://user@example.com/', 'without user and password'],
    ['https://:secret@example.com/', 'without user and password'],
    ['https://example.com/#part', 'without fragment'],
    ['example.com/hooks', 'a URL of at most 2000 characters'],
    ['https://', 'a URL of at most 2000 characters'],
    ['https://1.2.3.4.5.999/', 'a URL of at most 2000 characters'],
    [`https://example.com/${'a'.repeat(2_000)}`, 'a URL of at most 2000 characters'],
  ])('refuses %s', (target, reason) => {
    expect(guard.refusalOf(target)).toContain(reason)
  })

  it('allows the networks that it is given, and no others', async () => {
    const own = new AddressGuard({
      allowed: ['10.1.0.0/16', 'fd00::/8', '192.168.1.1'],
      resolve: async () => [{ address: '10.1.2.3', family: 4 }],
    })
    expect(own.refusalOf('https://10.1.2.3/')).toBeUndefined()
    expect(own.refusalOf('https://[::ffff:10.1.2.3]/')).toBeUndefined()
    expect(own.refusalOf('https://[fd00::1]/')).toBeUndefined()
    expect(own.refusalOf('https://192.168.1.1/')).toBeUndefined()
    expect(own.refusalOf('https://10.2.0.1/')).toBeDefined()
    expect(own.refusalOf('https://192.168.1.2/')).toBeDefined()
    expect(own.refusalOf('http://10.1.2.3/')).toBeDefined()
    expect(await lookUp(own)).toEqual([{ address: '10.1.2.3', family: 4 }])
  })
})
