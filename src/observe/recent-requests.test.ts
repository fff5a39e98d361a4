import { expect, it } from 'vitest'
import type { EndedRequest } from './observation.ts'
import { RecentRequests } from './recent-requests.ts'

const AT = new Date('2026-01-31T12:00:00Z')
const ended = (client: string | undefined, requestId: string) => ({ client, requestId }) as EndedRequest
const idsOf = (recent: RecentRequests, client: string) => recent.of(client).map(({ request }) => request.requestId)

it('keeps the last fifty requests of a client, the newest first', () => {
  const recent = new RecentRequests()
  for (let number = 1; number <= 60; number++) recent.add(ended('bi', String(number)), AT)
  const kept = idsOf(recent, 'bi')
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([50, '60', '11'])
})

it('keeps clients apart, and nothing of nobody', () => {
  const recent = new RecentRequests()
  recent.add(ended('bi', 'one'), AT)
  recent.add(ended('shop', 'two'), AT)
  recent.add(ended(undefined, 'three'), AT)
  expect([idsOf(recent, 'bi'), idsOf(recent, 'shop'), idsOf(recent, '')]).toEqual([['one'], ['two'], []])
})

it('forgets the clients that have not asked for the longest time', () => {
  const recent = new RecentRequests()
  for (let number = 0; number <= 200; number++) recent.add(ended(`client-${number}`, 'one'), AT)
  expect([idsOf(recent, 'client-0'), idsOf(recent, 'client-200')]).toEqual([[], ['one']])
})
