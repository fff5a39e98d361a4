// Pages of the log: all changes after a position, in their order.
import { ENTITY as DOCUMENT, REVISION_ENTITY as REVISION } from '../records/documents/document.ts'
import { byEntity, type JournaledKind } from '../records/kinds/kind.ts'
import { RELATION_ENTITY as RELATION } from '../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { readRows, rowsOf } from './batch-rows.ts'
import { ChangesGone } from './changes-gone.ts'
import { changesOf } from './entry-changes.ts'
import { contextFor } from './entry-context.ts'
import { type LogEntry, readEntries } from './log-entry.ts'
import type { LogSource } from './log-source.ts'
import { findLogEnd } from './log-store.ts'
import { ALL_PARTS, type Position, type RecordChange } from './record-change.ts'

/** Characters of the texts of a page. */
const PAGE_LENGTH = 16 * 1024 * 1024
/** So many numbers are looked at for one page, however few of them are of the kinds that are asked for. */
const PAGE_NUMBERS = 4_000

export interface LogPage {
  readonly changes: readonly RecordChange[]
  /** The position after the page. */
  readonly next: Position
  readonly isAtEnd: boolean
  /** The number of the newest entry of the company. */
  readonly last: number
}

/** The kinds that are asked for, by what the journal calls their records. */
export type RequestedKinds = ReadonlyMap<string, JournaledKind>

/** The entries that tell of these kinds: relations also of their owners, documents of their first revision. */
export function entitiesOf(kinds: RequestedKinds): string[] {
  const entities = new Set(kinds.keys())
  if (kinds.values().some(({ showsRelations }) => showsRelations)) entities.add(RELATION)
  if (entities.has(REVISION)) entities.add(DOCUMENT)
  return [...entities]
}

/**
 * The changes of some kinds after a position: never more than `limit`, and fewer where texts are long or such changes
 * are rare. Throws `ChangesGone` when entries after the position were erased, or have lost their texts.
 */
export async function readChanges(
  source: LogSource,
  company: CompanyRules,
  from: Position,
  limit: number,
  kinds: Iterable<JournaledKind>,
): Promise<LogPage> {
  const tx = source.reading(company.id)
  const end = await findLogEnd(tx)
  const { last } = end
  const after = from.part === ALL_PARTS ? from.number : from.number - 1
  if (after < end.oldest) throw new ChangesGone([])
  const upTo = Math.min(last, after + PAGE_NUMBERS)
  const wanted = byEntity(kinds)
  const entries = await readEntries(tx, { after, upTo, entities: entitiesOf(wanted), most: limit }, PAGE_LENGTH)
  // Texts may have been taken away meanwhile.
  if (entries.some(hasNoText) && after < (await findLogEnd(tx)).oldest) throw new ChangesGone([])
  const page = new Page(from, limit)
  const context = await contextFor(tx, company, wanted, { entries, end })
  for (const entry of entries) {
    const kind = wanted.get(entry.entity)
    if (kind?.batch) await addRows(page, source, company, { ...kind, batch: kind.batch }, entry)
    else page.add(changesOf(context, entry), entry.number)
    if (page.isFull) break
    await source.steps.pause()
  }
  const hasAll = !page.isFull && entries.length < limit && lengthOf(entries) < PAGE_LENGTH
  const next = hasAll ? { number: Math.max(upTo, from.number), part: ALL_PARTS } : page.next
  return { changes: page.changes, next, isAtEnd: next.part === ALL_PARTS && next.number >= last, last }
}

function hasNoText({ before, after }: LogEntry): boolean {
  return before === '' && after === ''
}

function lengthOf(entries: readonly LogEntry[]): number {
  return entries.reduce((sum, { before, after }) => sum + before.length + after.length, 0)
}

/** The change at a position; undefined when there is none of these kinds. */
export async function readChangeAt(
  source: LogSource,
  company: CompanyRules,
  position: Position,
  kinds: Iterable<JournaledKind>,
): Promise<RecordChange | undefined> {
  const { number, part } = position
  const before = part === 0 ? { number: number - 1, part: ALL_PARTS } : { number, part: part - 1 }
  const { changes } = await readChanges(source, company, before, 1, kinds)
  return changes.find((change) => change.number === number && change.part === part)
}

/** The changes of a page, as they are found. */
class Page {
  readonly changes: RecordChange[] = []
  next: Position
  isFull = false
  readonly #from: Position
  readonly #limit: number

  constructor(from: Position, limit: number) {
    this.#from = from
    this.#limit = limit
    this.next = from
  }

  get room(): number {
    return this.#limit - this.changes.length
  }

  /** The last part of a number that was read before; -1 when it is new. */
  lastPart(number: number): number {
    return number === this.#from.number ? this.#from.part : -1
  }

  /** Adds changes of one number, all that follow or, with `hasMore`, some. */
  add(changes: readonly RecordChange[], number: number, hasMore = false): void {
    const known = this.lastPart(number)
    const added = changes.filter(({ part }) => part > known).slice(0, this.room)
    this.changes.push(...added)
    const end = added.at(-1)
    const isCut = hasMore || (end ?? { part: known }).part < (changes.at(-1)?.part ?? -1)
    this.next = isCut && end ? { number, part: end.part } : isCut ? this.next : { number, part: ALL_PARTS }
    this.isFull = isCut || this.room === 0
  }
}

async function addRows(
  page: Page,
  source: LogSource,
  company: CompanyRules,
  kind: Parameters<typeof readRows>[2],
  entry: LogEntry,
): Promise<void> {
  const offset = page.lastPart(entry.number) === ALL_PARTS ? ALL_PARTS : page.lastPart(entry.number) + 1
  const total = rowsOf(entry)
  const limit = Math.min(page.room, total - offset)
  const rows = limit > 0 ? await readRows(source, company, kind, entry.number, { offset, limit }) : []
  const changes = rows.map(({ key, text }, index) => rowChange(kind, entry, offset + index, key, text))
  page.add(changes, entry.number, offset + rows.length < total && rows.length === limit)
}

function rowChange(
  kind: JournaledKind,
  entry: LogEntry,
  part: number,
  key: RecordChange['key'],
  after: string,
): RecordChange {
  const { number, at, userId, clientId, requestId } = entry
  const unseen = { before: {}, after: {} }
  return {
    number,
    part,
    at,
    userId,
    clientId,
    requestId,
    kind,
    key,
    operation: 'create',
    before: '',
    after,
    etag: kind.hasEtag ? number : undefined,
    unseen,
  }
}
