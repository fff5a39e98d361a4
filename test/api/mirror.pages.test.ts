// A source that changes between two pages of a look: what a document of a mirror makes of the pages.
import { describe, expect, it } from 'vitest'
import { DocumentMirror } from '../../src/mirror/document-mirror.ts'
import { ErpSource } from '../../src/mirror/source/source.ts'
import { sourceRules } from '../../src/setup/rules/source.ts'
import { Erp } from '../support/erp/erp.ts'
import type { Habits } from '../support/erp/kind.ts'
import { CREDENTIALS } from '../support/mirror.ts'
import { DOCUMENTS } from '../support/mirror-simulation/simulated-documents.ts'
import { SimulatedStore } from '../support/mirror-simulation/simulated-store.ts'

const ROWS = 20
/** The source answers no more records at once. */
const BOUND = 8
const MINUTE_MS = 60_000
const SWEEP_SECONDS = 600
const { signal } = new AbortController()

/** The customers of an ERP, without anything in between; `before` is done before a page is asked for. */
function customersOf(habits: Partial<Habits> = {}) {
  const clock = { now: Date.parse('2026-06-01T00:00:00Z') }
  const now = () => clock.now
  const sleep = async (ms: number) => {
    clock.now += ms
  }
  const erp = new Erp({ clock: { now, sleep }, sizes: { customers: ROWS }, habits: { customers: habits } })
  const pages = { before: (_url: string): (() => void) | undefined => undefined }
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const url = String(input).replace(/limit=(\d+)/, (_all, limit) => `limit=${Math.min(Number(limit), BOUND)}`)
    const after = url.includes(`limit=${BOUND}`) ? pages.before(url) : undefined
    const answer = await erp.fetch(url, init)
    after?.()
    return answer
  }
  const rules = sourceRules({ url: 'http://erp', clientIdEnv: 'ERP_CLIENT', secretEnv: 'ERP_SECRET' }, 'EN')
  const source = new ErpSource({ rules, environment: CREDENTIALS, now, sleep, fetch })
  const store = new SimulatedStore()
  const [{ asked, states }] = DOCUMENTS as [(typeof DOCUMENTS)[number]]
  const kind = store.kindOf(asked, { put: () => {}, remove: () => {} })
  const lease = { companyId: 'EN', id: '', leaseNo: store.leaseNo }
  const parts = { asked, states, kind, source, now, lease, store: store.store, companyId: 'EN', setupVersion: 1 }
  return { erp, clock, pages, store, mirror: new DocumentMirror(parts, store.stateOf(asked.name)) }
}

describe('A document of a mirror', () => {
  it('is not loaded while the source shows nothing of it, and goes on where it was then', async () => {
    const { erp, pages, store, mirror } = customersOf()
    pages.before = (url) => (url.includes('%20gt%20') ? void erp.hide('customers') : undefined)
    await expect(mirror.load(signal)).rejects.toThrow('the source shows no record any more')
    expect([mirror.state.phase, store.records.size]).toEqual(['loading', BOUND])
    pages.before = () => undefined
    erp.hide('customers', false)
    await mirror.load(signal)
    expect([mirror.state.phase, store.records.size]).toEqual(['following', ROWS])
  })

  it('asks again for an empty page where the source shows other records', async () => {
    const { erp, pages, store, mirror } = customersOf()
    let hidden = 0
    pages.before = (url) => {
      if (!url.includes('%20gt%20') || hidden++ > 0) return undefined
      erp.hide('customers')
      return () => erp.hide('customers', false)
    }
    await mirror.load(signal)
    expect([hidden > 1, store.records.size]).toEqual([true, ROWS])
  })

  it('has not been looked through by a look during which records before a page have gone', async () => {
    const { erp, clock, pages, mirror } = customersOf({ ordering: 'refused' })
    await mirror.load(signal)
    const { sweptAt } = mirror.state
    clock.now += SWEEP_SECONDS * 1000
    expect(mirror.isSweepDue(SWEEP_SECONDS)).toBe(true)
    // This source begins with its last record. A look for late changes comes before that for keys.
    const isSecond = (url: string) => url.includes('select=customerId&offset=7')
    pages.before = (url) => void (isSecond(url) && erp.remove('customers', { customerId: '100019' }))
    await mirror.sweep(signal)
    expect(erp.count('customers')).toBe(ROWS - 1)
    expect([mirror.state.sweptAt, mirror.state.rows]).toEqual([sweptAt, ROWS])
    // It is looked for again soon, whatever the setup says.
    clock.now += 10 * MINUTE_MS
    expect(mirror.isSweepDue(0)).toBe(true)
    await mirror.sweep(signal)
    expect([mirror.state.sweptAt > sweptAt, mirror.state.rows]).toEqual([true, ROWS - 1])
  })
})
