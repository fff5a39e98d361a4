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
    { column: 'customerId', message: 'one' },
    { column: 'contactPoints[1].contactPointType', message: 'two' },
  ])
})

it.each([
  [{ code: 3090, message: 'C1: already exists' }, 'C1: already exists'],
  [{ odd: 1 }, '{"odd":1}'],
])('gives the one message of %j', (body, message) => {
  expect(flatMessages(body)).toEqual([{ column: '', message }])
})
