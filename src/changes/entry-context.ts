// What has to be known before a page of entries can be told: the states before it, and what the writes that it cuts
// have on its other side.

import { ENTITY as VALUE } from '../records/attribute-values/attribute-value.ts'
import { ENTITY as DOCUMENT, REVISION_ENTITY as REVISION } from '../records/documents/document.ts'
import { CUSTOMER_ENTITY as CUSTOMER } from '../records/kinds/customers.ts'
import type { JournaledKind } from '../records/kinds/kind.ts'
import { RELATION_ENTITY as RELATION } from '../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { ERASED_KEY } from '../store/audit/erased-entry.ts'
import { DocumentStates } from './document-states.ts'
import { type EntryContext, relationsOf } from './entry-changes.ts'
import { GROUP_REACH, GroupIndex, groupOf, headOf, keyOf, type LogEntry, type LogHead, textsOf } from './log-entry.ts'
import type { LogTx } from './log-source.ts'
import { type LogEnd, listHeads } from './log-store.ts'
import { OwnerStates, recordName } from './owner-states.ts'
import { isShortValue } from './relation-text.ts'

interface PageEntries {
  readonly entries: readonly LogEntry[]
  readonly end: LogEnd
}

export async function contextFor(
  tx: LogTx,
  company: CompanyRules,
  kinds: ReadonlyMap<string, JournaledKind>,
  page: PageEntries,
): Promise<EntryContext> {
  const owners = new OwnerStates(company, kinds)
  const documents = new DocumentStates()
  const groups = new GroupIndex()
  const [first] = page.entries
  if (first) {
    if (kinds.has(RELATION) || kinds.values().some(({ showsRelations }) => showsRelations)) {
      await prepareOwners(tx, { owners, groups }, page)
    }
    await prepareDocuments(tx, kinds, documents, page)
  }
  return { company, kinds, owners, documents, groups }
}

async function prepareOwners(
  tx: LogTx,
  { owners, groups }: Pick<EntryContext, 'owners' | 'groups'>,
  { entries, end }: PageEntries,
): Promise<void> {
  const { entities } = owners
  const own = entries.filter(({ entity }) => entities.includes(entity))
  const [first, last] = [own[0], own.at(-1)]
  if (!first || !last) return
  const subjects = new Set(own.filter(needsOwner).map((entry) => owners.subjectOf(entry) ?? ''))
  const earlier =
    subjects.size === 0 ? [] : await neighbours(tx, entities, first, first.number - GROUP_REACH - 1, first.number - 1)
  const later =
    last.number < end.last ? await neighbours(tx, entities, last, last.number, last.number + GROUP_REACH) : []
  const all: LogHead[] = [...earlier, ...own, ...later]
  // Most pages have no relations: then no entry belongs to another.
  if (all.some(({ entity }) => entity === RELATION)) {
    for (const head of all) {
      const subject = owners.subjectOf(head) ?? ''
      groups.add(head, head.entity === RELATION ? relationsOf(subject) : recordName(head))
      await tx.steps.pause()
    }
  }
  if (subjects.size === 0) return
  const start = earlier[0] ?? first
  await owners.load(tx, subjects, { upTo: start.number - 1, end })
  await replay(
    tx,
    owners,
    groups,
    earlier.filter((head) => subjects.has(owners.subjectOf(head) ?? '')),
  )
}

/** Entries of relations change their owners; a purge journals no texts, and values of records not all of them. */
function needsOwner({ entity, operation, before, after }: LogEntry): boolean {
  if (entity === RELATION) return true
  if (entity !== VALUE && entity !== CUSTOMER) return false
  return isShortValue(entity, before) || isShortValue(entity, after) || (operation === 'delete' && before === '')
}

/** The entries of a group between two numbers. */
async function neighbours(
  tx: LogTx,
  entities: readonly string[],
  of: LogHead,
  after: number,
  upTo: number,
): Promise<LogHead[]> {
  const rows = await listHeads(tx, { after: Math.max(after, 0), upTo, entities, most: GROUP_REACH })
  const known = rows.filter(({ record_key }) => record_key !== ERASED_KEY).map(headOf)
  return known.filter((head) => groupOf(head) === groupOf(of))
}

/** Follows entries that were told before. */
async function replay(tx: LogTx, owners: OwnerStates, groups: GroupIndex, heads: readonly LogHead[]): Promise<void> {
  const texts = await textsOf(
    tx,
    heads.map(({ number }) => number),
  )
  for (const head of heads) {
    owners.apply({ ...head, before: '', after: texts.get(head.number)?.read().after ?? '' })
    const subject = owners.subjectOf(head) ?? ''
    if (head.entity !== RELATION || groups.lastAfter(head, relationsOf(subject)) !== undefined) continue
    owners.showRelations(subject, (name) => groups.lastAfter(head, name) !== undefined)
    await tx.steps.pause()
  }
}

async function prepareDocuments(
  tx: LogTx,
  kinds: ReadonlyMap<string, JournaledKind>,
  documents: DocumentStates,
  { entries, end }: PageEntries,
): Promise<void> {
  if (!kinds.has(DOCUMENT) && !kinds.has(REVISION)) return
  const seen = new Set<string>()
  const needed = new Set<string>()
  for (const entry of entries) {
    if (entry.entity !== DOCUMENT && entry.entity !== REVISION) continue
    const [id] = keyOf(entry) as [string]
    const isPurged = entry.operation === 'delete' && entry.after === ''
    if (isPurged || (entry.entity === REVISION && !seen.has(id))) needed.add(id)
    seen.add(id)
  }
  await documents.load(tx, needed, { upTo: (entries[0]?.number ?? 1) - 1, end })
}
