import { expect, it } from 'vitest'
import type { PlainRequest } from '../route/plain-request.ts'
import { InFlightRequests } from './in-flight.ts'

const FLOW = { group: 'EN', member: 'programs' }
const requests = () => [{}, {}] as [PlainRequest, PlainRequest]

it('stops when the last request has ended, whether or not its client is still there', async () => {
  const inFlight = new InFlightRequests(60_000, () => {})
  const [first, second] = requests()
  for (const request of [first, second]) inFlight.start(request, FLOW)
  let hasStopped = false
  const stopping = inFlight.stop().then(() => {
    hasStopped = true
  })
  inFlight.end(first)
  await new Promise(setImmediate)
  expect(hasStopped).toBe(false)
  inFlight.end(second)
  await stopping
})

it('stops at once when nothing is in flight', async () => {
  await new InFlightRequests(60_000, () => {}).stop()
})

it('counts each that has not ended, in whichever order they end', () => {
  const inFlight = new InFlightRequests(60_000, () => {})
  const [first, second] = requests()
  const third = {} as PlainRequest
  for (const request of [first, second, third]) inFlight.start(request, FLOW)
  const running = (ended: PlainRequest) => {
    inFlight.end(ended)
    return inFlight.figures.running
  }
  expect([first, first, third, second, third].map(running)).toEqual([2, 2, 1, 0, 0])
})
