// Single records as they were, and their history, as one caller may see them: by the rights of now, which are asked of
// the states of then.
import { Steps } from '../../base/concurrency/steps.ts'
import { parseExact } from '../../base/long-number.ts'
import { memo } from '../../base/memo.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { joinedObjects } from '../../base/text.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import type { Plan } from '../../query/plan.ts'
import { rowRuleOf } from '../../query/row-rule.ts'
import { byEntity, type Columns, type JournaledKind, type JournalKey } from '../../records/kinds/kind.ts'
import { kindsOf } from '../../records/kinds/kinds.ts'
import type { HistoryPage, PastRecord, PastRecords, RequestedRecord } from '../../records/shared/past-records.ts'
import type { RecordAccess } from '../../records/shared/record-access.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { StatesQuery } from '../../sql/compile/compile-states.ts'
import type { RowState } from '../../sql/rows/given-rows.ts'
import type { QueryCaller, ReadTx, Store } from '../../store/store.ts'
import { queryAbandoned } from '../../store/store-fault.ts'
import { changesOf } from '../entry-changes.ts'
import { contextFor } from '../entry-context.ts'
import { type StateSource, visibleStates } from '../feed/ask-states.ts'
import { changedLines } from '../feed/changed-lines.ts'
import { withStamps } from '../feed/stamps.ts'
import { operationOf, type Visibility, type VisibleOperation } from '../feed/visible-change.ts'
import { headOf, readTexts } from '../log-entry.ts'
import { inSteps, type LogSource, type LogTx } from '../log-source.ts'
import { findHeads, findLastOfWrite, findLogEnd, listEntryNumbers, startOf } from '../log-store.ts'
import type { RecordChange } from '../record-change.ts'
import { membersOf, planOfLinesRule } from '../record-members.ts'
import { changedMembers, type MemberChange } from './member-changes.ts'
import { numberAt, orGone } from './moment.ts'
import { readAt } from './record-answer.ts'
import { entriesOf, recordStateAt } from './record-state.ts'

export class PastOfRecords implements PastRecords {
  readonly #store: Store
  readonly #documents: () => Iterable<EnterpriseDocument>

  constructor(store: Store, documents: () => Iterable<EnterpriseDocument>) {
    this.#store = store
    this.#documents = documents
  }

  async recordAt(requested: RequestedRecord, asOf: string): Promise<PastRecord | undefined> {
    const { company, key, access, requester } = requested
    const kind = this.#kindOf(requested)
    const number = await numberAt(this.#store.reading(company.id), asOf)
    const log = this.#inSteps(requester)
    const { text, unseen, changeNo } = await orGone(recordStateAt(log, company, kind, key, number))
    if (text === '') return undefined
    const source = { store: this.#store, companyId: company.id, requester }
    const state = kind.rowOf(company, text, unseen)
    // Within a write there is no moment: its lines are those of after it.
    const linesOf = await lastOfWrite(log.reading(company.id), changeNo, key)
    const moment = { ...this.#parts(log), number: Math.max(number, linesOf), state }
    const { plan: ofRule } = planOfLinesRule(access.document)
    if (!ofRule && !(await isVisible(source, access, state))) return undefined
    const members = membersOf(kind, company, access.document)
    const plan = members?.plan ?? ofRule
    const answer = plan ? await orGone(readAt(requested, plan, moment)) : '{}'
    if (answer === '') return undefined
    const body = joinedObjects(access.redact(text), members ? members.inGet(answer) : '{}')
    return { body, change_no: changeNo, changeNumber: number }
  }

  async historyOf(
    requested: RequestedRecord,
    { before, limit, showsClients }: HistoryPage,
  ): Promise<string | undefined> {
    const kind = this.#kindOf(requested)
    const log = this.#inSteps(requested.requester)
    const visible: VisibleEntry[] = []
    let older = before ?? Number.MAX_SAFE_INTEGER
    while (older > 0 && visible.length <= limit) {
      const page = await orGone(this.#visibleBefore(log, requested, kind, older))
      visible.push(...page.visible)
      older = page.next
    }
    if (visible.length === 0) return undefined
    const next = visible.length > limit ? (visible[limit - 1]?.change.number ?? 0) : 0
    const users = !requested.access.hides(['lastUpdated', 'updatedBy'])
    return historyJson(visible.slice(0, limit), next, { users, clients: showsClients })
  }

  async #visibleBefore(log: LogSource, requested: RequestedRecord, kind: JournaledKind, before: number) {
    const { company, key, access, requester } = requested
    const { changes, next } = await changesOfRecord(log.reading(company.id), company, kind, key, before)
    const source = { store: this.#store, companyId: company.id, requester }
    const stamped = access.hasRowRule ? await withStamps(log, company, changes) : changes
    const { plan } = planOfLinesRule(access.document)
    const visibility = plan
      ? await this.#visibilityByLines(log, requested, plan, stamped)
      : await visibilityOf(source, company, access, stamped)
    const visible = changes.flatMap((change, at) => visibleEntry(change, visibility[at] ?? INVISIBLE, access) ?? [])
    return { visible: visible.reverse(), next }
  }

  /** Which sides of the changes a row rule shows that asks for lines: those of just before the write, and behind it. */
  async #visibilityByLines(
    source: LogSource,
    requested: RequestedRecord,
    plan: Plan,
    changes: readonly RecordChange[],
  ): Promise<Visibility[]> {
    const { company, key } = requested
    const found: Visibility[] = []
    for (const change of changes) {
      const { kind, number, before, after, unseen } = change
      const isShown = async (text: string, columns: Columns, at: number) => {
        if (text === '') return false
        const moment = { ...this.#parts(source), number: at, state: kind.rowOf(company, text, columns) }
        return (await readAt(requested, plan, moment)) !== ''
      }
      const last =
        after === '' ? number : await findLastOfWrite(source.reading(company.id), change, [startOf(key, false)])
      found.push({
        before: await isShown(before, unseen.before, number - 1),
        after: await isShown(after, unseen.after, last),
      })
    }
    return found
  }

  #parts(source: LogSource) {
    const kindOf = ({ name }: DocumentDefinition) => this.#kindOf({ entity: name })
    return { store: this.#store, source, kindOf }
  }

  #inSteps({ onAbandoned }: QueryCaller): LogSource {
    return inSteps(this.#store, new Steps(onAbandoned, queryAbandoned))
  }

  #kindOf({ entity }: Pick<RequestedRecord, 'entity'>): JournaledKind {
    const kind = kindsOf(this.#documents()).get(entity)
    if (!kind) throw new Error(`the log does not know ${entity}`)
    return kind
  }
}

/** The last number of the write of a record, its lines included. */
async function lastOfWrite(tx: ReadTx, changeNo: number, key: JournalKey): Promise<number> {
  const [row] = await findHeads(tx, [changeNo])
  return row ? findLastOfWrite(tx, headOf(row), [startOf(key, false)]) : changeNo
}

const INVISIBLE = { before: false, after: false }

interface RecordChanges {
  /** In the order of their numbers. */
  readonly changes: readonly RecordChange[]
  /** Older changes are before this number; 0 when there are none. */
  readonly next: number
}

/** Entries that are read at once, also those of the record's relations; each has two texts of a mebibyte at most. */
const ENTRIES_AT_ONCE = 32

/** The newest changes of a record before a number, as far as they are kept. Throws `ChangesGone` for damaged ones. */
async function changesOfRecord(
  tx: LogTx,
  company: CompanyRules,
  kind: JournaledKind,
  key: readonly (string | number)[],
  before: number,
): Promise<RecordChanges> {
  const end = await findLogEnd(tx)
  const { starts, entities } = entriesOf(company, kind, key)
  const range = { after: end.oldest, below: before, entities, most: ENTRIES_AT_ONCE }
  const numbers = (await listEntryNumbers(tx, starts, range)).reverse()
  const rows = (await findHeads(tx, numbers)).sort((one, other) => one.entry_no - other.entry_no)
  const heads = rows.map(headOf)
  const entries = await readTexts(tx, heads, Number.POSITIVE_INFINITY)
  const context = await contextFor(tx, company, byEntity([kind]), { entries, end })
  const changes = entries.flatMap((entry) => ofRecord(changesOf(context, entry), key))
  const isAll = numbers.length < ENTRIES_AT_ONCE
  return { changes, next: isAll ? 0 : (numbers[0] ?? 0) }
}

function ofRecord(changes: readonly RecordChange[], key: readonly (string | number)[]): RecordChange[] {
  const name = JSON.stringify(key)
  return changes.filter((change) => JSON.stringify(change.key) === name)
}

/** A change of which the caller is told. */
interface VisibleEntry {
  readonly change: RecordChange
  readonly operation: VisibleOperation
  readonly changes: readonly MemberChange[]
}

/** The time and the author of the last change, which every entry of a history has itself. */
const STAMP = /^\/lastUpdated?(?:\/|$)/

/**
 * A change as the caller is told of it. Undefined when it is told nothing: the record is out of its sight, or only
 * hidden members differ.
 */
function visibleEntry(
  change: RecordChange,
  { before, after }: Visibility,
  access: RecordAccess,
): VisibleEntry | undefined {
  if (!before && !after) return change.isBeforeUnknown && !access.hasRowRule ? deleted(change) : undefined
  const old = before ? access.redact(change.before) : ''
  const now = after ? access.redact(change.after) : ''
  if (before && after) {
    const members = changedMembers(old, now).filter(({ path }) => !STAMP.test(path))
    const changes = [...members, ...changedLines(change, access).map((path) => ({ path }))]
    return changes.length === 0 ? undefined : { change, operation: 'updated', changes }
  }
  const operation = operationOf(change, after)
  return { change, operation, changes: [{ path: '', ...wholeOf('before', old), ...wholeOf('after', now) }] }
}

/** A record that a purge has removed, of which nothing else is known any more. */
function deleted(change: RecordChange): VisibleEntry {
  return { change, operation: 'deleted', changes: [] }
}

function wholeOf(side: 'before' | 'after', text: string): { [side]?: JsonValue } {
  return text === '' ? {} : { [side]: parseExact(text) as JsonValue }
}

interface ShownAuthors {
  readonly users: boolean
  readonly clients: boolean
}

/** `next`: the number before which the next page goes on; 0 at the end. */
function historyJson(visible: readonly VisibleEntry[], next: number, shows: ShownAuthors): string {
  const changes = visible.map(({ change: { number, at: time, userId, clientId }, operation, changes }) => ({
    number,
    time,
    ...(shows.users ? { userId } : {}),
    ...(shows.clients ? { clientId } : {}),
    operation,
    changes,
  }))
  return JSON.stringify({ changes, next: next === 0 ? '' : String(next) })
}

async function isVisible(source: StateSource, { document, hasRowRule }: RecordAccess, state: RowState) {
  return !hasRowRule || (await visibleStates(source, queryOf(document), [state])).has(0)
}

/** Which sides of the changes the row rule lets the caller see; their rows have all columns. */
async function visibilityOf(
  source: StateSource,
  company: CompanyRules,
  { document, hasRowRule }: RecordAccess,
  changes: readonly RecordChange[],
): Promise<Visibility[]> {
  const there = changes.map(({ before, after }) => ({ before: before !== '', after: after !== '' }))
  if (!hasRowRule) return there
  const states: RowState[] = []
  const numbers = changes.map(({ kind, before, after, unseen }) => ({
    before: before === '' ? -1 : states.push(kind.rowOf(company, before, unseen.before)) - 1,
    after: after === '' ? -1 : states.push(kind.rowOf(company, after, unseen.after)) - 1,
  }))
  const visible = await visibleStates(source, queryOf(document), states)
  return numbers.map(({ before, after }) => ({ before: visible.has(before), after: visible.has(after) }))
}

const queryOf = memo(
  (definition: DocumentDefinition): StatesQuery => ({
    definition,
    filter: rowRuleOf(definition),
    scope: [],
    select: [],
    language: '',
  }),
)
