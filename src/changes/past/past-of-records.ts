// Single records as they were, and their history, as one caller may see them: by the rights of now, which are asked of
// the states of then.
import { Steps } from '../../base/concurrency/steps.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import type { AskedRecord, HistoryPage, PastRecord, PastRecords } from '../../records/shared/past/past-records.ts'
import type { QueryCaller, Store } from '../../store/store.ts'
import { queryAbandoned } from '../../store/store-fault.ts'
import type { ChangeKind } from '../change-kind.ts'
import { changeKinds } from '../kinds/change-kinds.ts'
import { inSteps, type LogSource } from '../log/log-source.ts'
import { withStamps } from '../told/stamps.ts'
import { historyJson, type ToldEntry, tellingOf } from './history.ts'
import { numberAt, orGone } from './moment.ts'
import { changesOfRecord } from './record-changes.ts'
import { recordStateAt } from './record-state.ts'
import { isInSight, sightOf } from './sight.ts'

export class PastOfRecords implements PastRecords {
  readonly #store: Store
  readonly #documents: () => Iterable<EnterpriseDocument>

  constructor(store: Store, documents: () => Iterable<EnterpriseDocument>) {
    this.#store = store
    this.#documents = documents
  }

  async recordAt(asked: AskedRecord, asOf: string): Promise<PastRecord | undefined> {
    const { company, key, access, asker } = asked
    const kind = this.#kindOf(asked)
    const number = await numberAt(this.#store.reading(company.id), asOf)
    const { text, unseen, changeNo } = await orGone(recordStateAt(this.#inSteps(asker), company, kind, key, number))
    if (text === '') return undefined
    const source = { store: this.#store, companyId: company.id, asker }
    if (!(await isInSight(source, access, kind.rowOf(company, text, unseen)))) return undefined
    return { body: access.redact(text), change_no: changeNo, changeNumber: number }
  }

  async historyOf(asked: AskedRecord, { before, limit, showsClients }: HistoryPage): Promise<string | undefined> {
    const kind = this.#kindOf(asked)
    const log = this.#inSteps(asked.asker)
    const told: ToldEntry[] = []
    let older = before ?? Number.MAX_SAFE_INTEGER
    while (older > 0 && told.length <= limit) {
      const page = await orGone(this.#toldBefore(log, asked, kind, older))
      told.push(...page.told)
      older = page.next
    }
    if (told.length === 0) return undefined
    const next = told.length > limit ? (told[limit - 1]?.change.number ?? 0) : 0
    const users = !asked.access.hides(['lastUpdated', 'updatedBy'])
    return historyJson(told.slice(0, limit), next, { users, clients: showsClients })
  }

  async #toldBefore(log: LogSource, { company, key, access, asker }: AskedRecord, kind: ChangeKind, before: number) {
    const { changes, next } = await changesOfRecord(log.reading(company.id), company, kind, key, before)
    const source = { store: this.#store, companyId: company.id, asker }
    const stamped = access.hasRowRule ? await withStamps(log, company, changes) : changes
    const sight = await sightOf(source, company, access, stamped)
    const told = changes.flatMap((change, at) => tellingOf(change, sight[at] ?? OUT_OF_SIGHT, access) ?? [])
    return { told: told.reverse(), next }
  }

  #inSteps({ onAbandoned }: QueryCaller): LogSource {
    return inSteps(this.#store, new Steps(onAbandoned, queryAbandoned))
  }

  #kindOf({ entity }: AskedRecord): ChangeKind {
    const kind = changeKinds(this.#documents()).get(entity)
    if (!kind) throw new Error(`the log does not know ${entity}`)
    return kind
  }
}

const OUT_OF_SIGHT = { before: false, after: false }
