// Clients that come and go while several processes serve: no request is refused by a rotation, and who is removed is
// out in every process as soon as the command ends.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataLocation, emptyLocation } from '../support/data-location.ts'
import { type Folder, kill, linesOf, run, SETUP, type Serving, serve, temporaryFolder } from '../support/process.ts'
import { eventually } from '../support/uploads.ts'
import { CLIENT_SECRET, FEWER_KINDS } from '../support/world.ts'

const ADDED_SECRET = 'the secret that comes in its place'
const fixture = readFileSync(SETUP, 'utf8')
const READER = /(- \{ id: reader, user: svc-reader, )secretHash: ("[^"]+") \}/
const environment = { TEST_ADDED_SECRET: ADDED_SECRET }

describe.each(FEWER_KINDS)('Clients of two processes on %s', (kind) => {
  let folder: Folder
  let location: DataLocation
  let service: Serving
  beforeAll(async () => {
    folder = temporaryFolder()
    location = await emptyLocation(kind, join(folder.path, 'data'))
    service = await serve([...location.flags, '--setup', SETUP, '--workers', '2'], { environment })
  })
  afterAll(async () => {
    await kill(service)
    folder.remove()
  })

  const apply = async (text: string, ...more: string[]) => {
    const file = join(folder.path, 'changed.yaml')
    writeFileSync(file, text)
    const ended = await run(['setup', file, ...more, ...location.flags], { environment })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    return linesOf(ended.stdout)
  }
  const basic = (secret: string) => `Basic ${Buffer.from(`reader:${secret}`).toString('base64')}`
  /** Each on a connection of its own, so that both processes are asked. */
  const statusWith = async (authorization: string) => {
    const headers = { authorization, connection: 'close' }
    return (await fetch(`${service.address}/v1/attribute-values/C1/CC100/0`, { headers })).status
  }
  const statusesWith = async (authorization: string) =>
    new Set(await Promise.all(Array.from({ length: 12 }, () => statusWith(authorization))))
  /** One after the other: of wrong ones at once, some are refused with 429. */
  const refusalsWith = async (authorization: string) => {
    const statuses = new Set<number>()
    for (let time = 0; time < 12; time++) statuses.add(await statusWith(authorization))
    return statuses
  }
  const tokenOf = async () => (await run(['token', '--client', 'reader', ...location.flags])).stdout.trim()

  it('a secret is replaced, and no request with the one that is in use is refused', async () => {
    let secret = CLIENT_SECRET
    const answered: number[] = []
    const stopped = new AbortController()
    const used: string[] = []
    const traffic = Array.from({ length: 3 }, async (_, client) => {
      while (!stopped.signal.aborted) {
        used[client] = secret
        answered.push(await statusWith(basic(secret)))
      }
    })
    const both = (until: string) =>
      fixture.replace(READER, (_all, start, hash) => {
        return `${start}secrets: [{ hash: ${hash}, until: ${until} }, { env: TEST_ADDED_SECRET }] }`
      })
    try {
      await apply(both('2099-12-31'))
      secret = ADDED_SECRET
      // A request with the old one may be under way, and the command runs in this process.
      await eventually(async () => used.every((one) => one === ADDED_SECRET))
      await apply(both('2026-01-01'))
      // On a busy machine the commands end before many are answered.
      await eventually(async () => answered.length > 10)
    } finally {
      stopped.abort()
      await Promise.all(traffic)
    }
    expect(new Set(answered)).toEqual(new Set([200]))
    expect(await refusalsWith(basic(CLIENT_SECRET))).toEqual(new Set([401]))
    expect(await statusesWith(basic(ADDED_SECRET))).toEqual(new Set([200]))
  })

  it('a client that is removed is out in every process, with its token and its secret, and others are not', async () => {
    const token = `Bearer ${await tokenOf()}`
    expect(await statusesWith(token)).toEqual(new Set([200]))
    const changes = await apply(fixture.replace(/^ {2}- \{ id: reader,.*\n/m, ''), '--prune', 'clients')
    expect(changes).toContain('- client reader')
    expect(await statusesWith(token)).toEqual(new Set([401]))
    expect(await refusalsWith(basic(ADDED_SECRET))).toEqual(new Set([401]))
    const other = `Basic ${Buffer.from(`both:${CLIENT_SECRET}`).toString('base64')}`
    expect(await statusesWith(other)).toEqual(new Set([200]))
  })
})
