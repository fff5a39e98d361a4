import { once } from 'node:events'
import { Caller } from '../../../access/caller.ts'
import { openRecords } from '../../../app/setup/open-records.ts'
import { ChangeFeed, type FeedRequest, type OpenFeed } from '../../../changes/feed/feed.ts'
import { LongWork } from '../../../changes/long-work.ts'
import { ALL_PARTS, type Position } from '../../../changes/record-change.ts'
import { ChangeSignals } from '../../../changes/wake.ts'
import { Problem } from '../../../errors/problem.ts'
import { lastChangeNumber } from '../../../store/change-number.ts'
import type { Store } from '../../../store/store.ts'
import { type StoreFlags, storeOptions } from '../../settings/settings.ts'
import { badUsage } from '../../terminal/bad-usage.ts'
import { reportsTo } from '../../terminal/reports-to.ts'
import type { Output, Terminal } from '../../terminal/terminal.ts'
import { requireCompany } from './find-records.ts'

export interface ChangesSettings extends StoreFlags {
  readonly company?: string
  readonly since?: string
  readonly entities?: readonly string[]
  readonly filter?: string
  readonly select?: string
  readonly latest?: boolean
  readonly follow?: boolean
}

const PAGE = 1_000
/** A wait ends by itself after so long, and begins again. */
const WAIT_MS = 3_600_000

export async function runChanges(settings: ChangesSettings, terminal: Terminal): Promise<void> {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) terminal.once(signal, () => interrupted.abort())
  await using records = await openRecords({
    ...storeOptions(settings),
    ...reportsTo(terminal),
  })
  const { store, companies } = records.service
  const companyId = requireCompany(records, settings.company).id
  const feed = new ChangeFeed({ store, companies, documents: () => records.documents, work: new LongWork() })
  const { entities, filter, select, latest } = settings
  const caller = administratorOf(companyId)
  const open = await openOrReject(feed, { caller, companyId, entities, filter, select, latest })
  const from = await placeOf(settings, store, companyId)
  await print(open, from, { store, settings, output: terminal.stdout, interrupted: interrupted.signal })
}

interface Printing {
  readonly store: Store
  readonly settings: ChangesSettings
  readonly output: Output
  readonly interrupted: AbortSignal
}

/** Prints page after page; with `--follow` until it is interrupted. */
async function print(feed: OpenFeed, from: Position, printing: Printing): Promise<void> {
  const { store, settings, output, interrupted } = printing
  using listener = new ChangeSignals(store.newestEntries).listen(feed.companyId)
  let [place, base] = [from, from.number]
  while (!interrupted.aborted) {
    const page = await feed.read(place, PAGE, settings.latest ? base : undefined)
    for (const { json } of page.changes) if (!output.write(`${json}\n`)) await once(output, 'drain')
    place = page.next
    if (!page.isAtEnd) continue
    if (!settings.follow) return
    base = place.number
    await listener.after(page.last, WAIT_MS, interrupted)
  }
}

/** Whoever may use the database may read all of it. */
function administratorOf(companyId: string): Caller {
  const role = { id: 'all', apis: { objects: ['read'] }, objects: ['*'] }
  return new Caller(
    { id: '', defaultCompany: companyId, roles: { [companyId]: [role.id] } },
    '',
    new Map([['all', role]]),
  )
}

async function openOrReject(feed: ChangeFeed, request: FeedRequest): Promise<OpenFeed> {
  try {
    return await feed.open(request)
  } catch (error) {
    throw error instanceof Problem && error.status === 400 ? badUsage(error.message) : error
  }
}

/** A change number, the id of a change such as `EN-17.2`, or `now`. */
async function placeOf({ since, follow }: ChangesSettings, store: Store, companyId: string): Promise<Position> {
  if (since === 'now' || (since === undefined && follow)) {
    return { number: await lastChangeNumber(store.reading(companyId)), part: ALL_PARTS }
  }
  if (since === undefined) throw badUsage("option '--since': name where to begin, such as 0, or use --follow")
  const isOfCompany = since.toLowerCase().startsWith(`${companyId.toLowerCase()}-`)
  const id = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(isOfCompany ? since.slice(companyId.length + 1) : since)
  if (!id || (!isOfCompany && id[2] !== undefined)) {
    throw badUsage("option '--since': it must be a change number, the id of a change of the company, or now")
  }
  return { number: Number(id[1]), part: isOfCompany ? Number(id[2] ?? 0) : ALL_PARTS }
}
