import { once } from 'node:events'
import { Caller } from '../../../access/caller.ts'
import { ChangeFeed } from '../../../changes/feed/feed.ts'
import { LongWork } from '../../../changes/long-work.ts'
import { ALL_PARTS, type Position } from '../../../changes/record-change.ts'
import type { StoreFlags } from '../../settings/settings.ts'
import { badUsage } from '../../terminal/bad-usage.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { recordsAt, requireCompany } from './find-records.ts'

export interface ChangesSettings extends StoreFlags {
  readonly company?: string
  readonly since: string
}

const PAGE = 1_000

/** Prints page after page. */
export async function runChanges(settings: ChangesSettings, terminal: Terminal): Promise<void> {
  await using records = await recordsAt(settings, terminal)
  const { store, companies } = records.service
  const companyId = requireCompany(records, settings.company).id
  const feed = new ChangeFeed({ store, companies, documents: () => records.documents, work: new LongWork() })
  const open = await feed.open({ caller: administratorOf(companyId), companyId })
  for (let [place, isAtEnd] = [placeOf(settings.since, companyId), false]; !isAtEnd; ) {
    const page = await open.read(place, PAGE)
    for (const { json } of page.changes) {
      if (!terminal.stdout.write(`${json}\n`)) await once(terminal.stdout, 'drain')
    }
    ;[place, isAtEnd] = [page.next, page.isAtEnd]
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

/** A change number, or the id of a change such as `EN-17.2`. */
function placeOf(since: string, companyId: string): Position {
  const isOfCompany = since.toLowerCase().startsWith(`${companyId.toLowerCase()}-`)
  const id = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(isOfCompany ? since.slice(companyId.length + 1) : since)
  if (!id || (!isOfCompany && id[2] !== undefined)) {
    throw badUsage("option '--since': it must be a change number, or the id of a change of the company")
  }
  return { number: Number(id[1]), part: isOfCompany ? Number(id[2] ?? 0) : ALL_PARTS }
}
