// The changes of records that one entry of the log tells of.
import { ENTITY as DOCUMENT, REVISION_ENTITY as REVISION } from '../records/documents/document.ts'
import { documentText, revisionText } from '../records/kinds/document-text.ts'
import type { JournaledKind, RecordText } from '../records/kinds/kind.ts'
import { linesChangedIn } from '../records/shared/lines-changed.ts'
import { RELATION_ENTITY as RELATION } from '../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { DocumentStates } from './document-states.ts'
import { type GroupIndex, keyOf, type LogEntry, stampOf } from './log-entry.ts'
import type { OwnerStates } from './owner-states.ts'
import type { RecordChange } from './record-change.ts'
import { isShortValue, relationText } from './relation-text.ts'

export interface EntryContext {
  readonly company: CompanyRules
  /** The kinds that are asked for, by what the journal calls their records. */
  readonly kinds: ReadonlyMap<string, JournaledKind>
  readonly owners: OwnerStates
  readonly documents: DocumentStates
  readonly groups: GroupIndex
}

/** The subjects of entries in a group: the relations of a value, and single records. */
export const relationsOf = (subject: string): string => `relations ${subject}`

/** The changes of the kinds that are asked for. All entries must come here in their order. */
export function changesOf(context: EntryContext, entry: LogEntry): RecordChange[] {
  switch (entry.entity) {
    case DOCUMENT:
      return documentChanges(context, entry)
    case REVISION:
      return revisionChanges(context, entry)
    case RELATION:
      return relationChanges(context, entry)
    default:
      return ownerChanges(context, entry)
  }
}

type Told = Pick<RecordChange, 'kind' | 'before' | 'after'> & Partial<RecordChange>

function change({ number, at, userId, clientId, requestId, operation, ...entry }: LogEntry, told: Told): RecordChange {
  const by = { number, part: 0, at, userId, clientId, requestId, operation }
  const etag = told.kind.hasEtag ? number : undefined
  const all = { ...by, key: told.key ?? keyOf(entry), etag, unseen: { before: {}, after: {} }, ...told }
  // What is deleted was there before.
  return all.operation === 'delete' && all.before === '' ? { ...all, isBeforeUnknown: true } : all
}

function ownerChanges({ kinds, owners, groups }: EntryContext, entry: LogEntry): RecordChange[] {
  const kind = kinds.get(entry.entity)
  const known = owners.isEmpty ? undefined : owners.textOf(entry)
  if (!owners.isEmpty) owners.apply(entry)
  if (!kind) return []
  // A purge journals no text, and the value of a record not all of it.
  const isWhole = (text: string) => text !== '' && !isShortValue(entry.entity, text)
  const told = isWhole(entry.before) || entry.operation === 'create' ? entry.before : (known ?? '')
  const { text: before, lines } = linesChangedIn(told)
  const after = isShortValue(entry.entity, entry.after) ? (owners.textOf(entry) ?? '') : entry.after
  const last = groups.isEmpty ? undefined : groups.lastAfter(entry, relationsOf(owners.subjectOf(entry) ?? ''))
  return [change(entry, { kind, before, after, lines, etag: last ?? entry.number, ...afterOf(kind, entry) })]
}

/** Values and relations do not show who has changed them last. */
function afterOf({ showsStamp }: JournaledKind, entry: LogEntry): Pick<RecordChange, 'unseen'> {
  return { unseen: { before: {}, after: showsStamp ? {} : stampOf(entry) } }
}

function relationChanges({ company, kinds, owners, groups }: EntryContext, entry: LogEntry): RecordChange[] {
  const kind = kinds.get(RELATION)
  const before = entry.before || (entry.operation === 'delete' ? (owners.textOf(entry) ?? '') : '')
  owners.apply(entry)
  const own = kind
    ? [
        change(entry, {
          kind,
          before: relationText(company, before),
          after: relationText(company, entry.after),
          ...afterOf(kind, entry),
        }),
      ]
    : []
  const subject = owners.subjectOf(entry) ?? ''
  if (groups.lastAfter(entry, relationsOf(subject)) !== undefined) return own
  const shown = owners.showRelations(subject, (name) => groups.lastAfter(entry, name) !== undefined)
  const told = shown.flatMap(({ record, ...texts }) => {
    if (!kinds.has(record.kind.journalEntity)) return []
    return [change(entry, { ...texts, kind: record.kind, key: record.key, operation: 'update' })]
  })
  return [...own, ...told]
}

function documentChanges({ kinds, documents }: EntryContext, entry: LogEntry): RecordChange[] {
  const [id] = keyOf(entry) as [string]
  const isPurged = entry.operation === 'delete' && entry.after === ''
  const known = documents.textOf(id)
  const revisions = isPurged ? documents.revisionsOf(id) : []
  documents.apply(entry)
  const [before, after] = [documentText(entry.before || (isPurged ? known : '')), documentText(entry.after)]
  const [kind, revisionKind] = [kinds.get(DOCUMENT), kinds.get(REVISION)]
  const own = kind ? [change(entry, { kind, ...sides(before, after) })] : []
  if (!revisionKind) return own
  if (entry.operation === 'create') {
    const [first] = documents.revisionsOf(id)
    const told = { kind: revisionKind, key: [id, 1], part: 1, before: '', after: first?.text ?? '' }
    return [...own, change(entry, { ...told, ...judgedBy(after) })]
  }
  const removed = revisions.map(({ revisionNo, text }) => {
    const told = { kind: revisionKind, key: [id, revisionNo], part: revisionNo, before: revisionText(text), after: '' }
    return change(entry, { ...told, ...judgedBy(before) })
  })
  return [...own, ...removed]
}

function sides(before: RecordText, after: RecordText): Pick<RecordChange, 'before' | 'after' | 'unseen'> {
  return { before: before.text, after: after.text, unseen: { before: before.unseen, after: after.unseen } }
}

function judgedBy({ text, unseen }: RecordText): Pick<RecordChange, 'documentText' | 'unseen'> {
  return { documentText: text, unseen: { before: {}, after: {}, document: unseen } }
}

function revisionChanges({ kinds, documents }: EntryContext, entry: LogEntry): RecordChange[] {
  documents.apply(entry)
  const kind = kinds.get(REVISION)
  if (!kind) return []
  const [id] = keyOf(entry) as [string]
  const [before, after] = [revisionText(entry.before), revisionText(entry.after)]
  return [change(entry, { kind, before, after, ...judgedBy(documentText(documents.textOf(id))) })]
}
