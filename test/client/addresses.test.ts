// Which addresses a client asks, whatever a key or a path holds.
import { expect, it } from 'vitest'
import { fakeService } from './fake-service.ts'

const BASE = 'https://service.test/base'

it.each([
  ['a/b', 'a%2Fb'],
  ['%2F..%2F', '%252F..%252F'],
  ['a?b#c', 'a%3Fb%23c'],
  ['...', '...'],
  ['\u202e \u00f8', '%E2%80%AE%20%C3%B8'],
])('sends the key %j as one part', async (key, part) => {
  const { client, sent } = fakeService([])
  await client.customers.get(key)
  await client.records('contracts').delete(['1', key])
  expect(sent.map(({ url }) => url)).toEqual([`${BASE}/v1/customers/${part}`, `${BASE}/v1/contracts/1/${part}`])
})

it.each(['.', '..'])('sends nothing for the key %j, which would be another address', async (key) => {
  const { client, sent } = fakeService([])
  await expect(client.customers.get(key)).rejects.toThrow(RangeError)
  await expect(client.customers.patch(key, [])).rejects.toThrow(RangeError)
  await expect(client.records('contracts').delete([key, 'suppliers', '50000'])).rejects.toThrow(RangeError)
  await expect(client.documents.content(key)).rejects.toThrow(RangeError)
  expect(sent).toEqual([])
})

it.each(['.evil.test/a', '@evil.test/a', ':80@evil.test/a', 'v1/a', ''])(
  'sends nothing to the path %j, which could be of another host',
  async (path) => {
    const { client, sent } = fakeService([])
    await expect(client.request({ path })).rejects.toThrow(RangeError)
    expect(sent).toEqual([])
  },
)
