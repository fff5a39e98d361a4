import { expect, it } from 'vitest'
import { flatMessages } from './record-findings.ts'

it('gives every message of a refusal with the path of its field', () => {
  const message = (text: string) => [{ code: 3010, message: text }]
  const body = {
    notificationMessages: { customerId: message('one') },
    payment: { status: 'x' },
    contactPoints: [{}, { address: {}, notificationMessages: { contactPointType: message('two') } }],
  }
  expect(flatMessages(body)).toEqual([
    { column: 'customerId', message: 'one', code: 3010 },
    { column: 'contactPoints[1].contactPointType', message: 'two', code: 3010 },
  ])
})

it.each([
  [
    { code: 3090, message: 'C1: already exists' },
    { message: 'C1: already exists', code: 3090 },
  ],
  [{ odd: 1 }, { message: '{"odd":1}' }],
])('gives the one message of %j', (body, finding) => {
  expect(flatMessages(body)).toEqual([{ column: '', ...finding }])
})

it('gives what a plain body joins to one message, each at its field', () => {
  const parts = [
    { path: ['lines', 0, 'price'], code: 1010, message: 'one.' },
    { path: ['due'], code: 1010, message: 'two.' },
  ] as const
  expect(flatMessages({ code: 1010, message: 'one. two.' }, parts)).toEqual([
    { column: 'lines[0].price', message: 'one.', code: 1010 },
    { column: 'due', message: 'two.', code: 1010 },
  ])
})
