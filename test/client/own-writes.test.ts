// The client reads what it has written, also where a replica answers.
import { expect, it } from 'vitest'
import { fakeService, LOST } from './fake-service.ts'

const written = (number: number) => Response.json({}, { headers: { 'x-erp-change-number': String(number) } })
const leastOf = (sent: readonly { headers: Record<string, string> }[]) =>
  sent.map(({ headers }) => headers['min-change'])

it('asks for the highest number of its own writes, with reads alone', async () => {
  const { client, sent } = fakeService([Response.json([]), written(7), Response.json([]), written(9), LOST, written(8)])
  await client.request({ path: '/v1/customers' })
  await client.customers.patch('1', [])
  await client.request({ path: '/v1/customers' })
  await client.customers.create({})
  // Its first answer is lost, and its repetition tells the number of the first.
  await client.customers.delete('1')
  await client.request({ path: '/v1/customers', method: 'HEAD' })
  await client.request({ path: '/v1/customers', headers: { 'Min-Change': '3' } })
  expect(leastOf(sent)).toEqual([undefined, undefined, '7', undefined, undefined, undefined, '9', '3'])
})

it('counts for each company as it is named', async () => {
  const { client, sent } = fakeService([written(7), written(5)], { company: 'EN' })
  await client.customers.create({})
  await client.customers.create({ companyId: 'SV' })
  for (const path of ['/v1/a', '/v1/a?companyId=en', '/v1/a?$companyid=SV', '/v1/a?companyId=DK']) {
    await client.request({ path })
  }
  expect(leastOf(sent.slice(2))).toEqual(['7', '7', '5', undefined])
})

it('remembers the writes of a batch', async () => {
  const headers = { 'x-erp-change-number': '12' }
  const responses = [
    { id: '1', status: 201, headers, body: {} },
    { id: '2', status: 200, headers: { 'x-erp-change-number': '40' }, body: [] },
  ]
  const { client, sent } = fakeService([Response.json({ responses })])
  await client.batch([
    { id: '1', method: 'POST', url: '/v1/customers', body: {} },
    { id: '2', method: 'GET', url: '/v1/objects/customers' },
  ])
  await client.request({ path: '/v1/customers/1' })
  expect(leastOf(sent)).toEqual([undefined, '12'])
})
