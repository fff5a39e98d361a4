// Applies a setup file in one transaction. A preview does the same and rolls the transaction back.
import { basename } from 'node:path'
import type { ClientDefinition } from '../../access/caller.ts'
import { hashSecret, verifySecret } from '../../access/secrets.ts'
import { readText } from '../../base/process/files.ts'
import { Problem } from '../../errors/problem.ts'
import type { Observe } from '../../observe/observation.ts'
import type { DeclaredTable } from '../../sql/schema.ts'
import { type IndexChanges, indexChanges } from '../../sql/setup-index.ts'
import { rolledBack } from '../../store/rolled-back.ts'
import {
  deleteCode,
  listCodes,
  putAttribute,
  putCode,
  putCompany,
  putRelation,
} from '../../store/service-state/setup-store.ts'
import { putAppliedSetup } from '../../store/setup-version.ts'
import type { Actor, SetupTx, Store, Tx } from '../../store/store.ts'
import type { FindDocument } from '../check/role-restrictions.ts'
import { InvalidSetup, requireNoFault } from '../file/invalid-setup.ts'
import type { CompanySetup, DocumentSetup, Setup } from '../file/setup-schema.ts'
import { type FindCommon, wantedIndexes } from '../items/document-indexes.ts'
import { readItems, type SetupItem } from '../items/setup-item.ts'
import { inForce, itemsOf, rulesFrom } from '../items/setup-items.ts'
import { declaredTableOf } from '../rules/declared-table.ts'
import type { AttributeRules, CompanyRules, RelationRules } from '../rules/rules.ts'
import type { Webhooks } from '../rules/webhooks.ts'
import { type Change, compareSetup, itemKey } from './compare-setup.ts'
import { isMark, markSource, requireAdministrator } from './console-source.ts'
import { requireLegalRecords, requireRoom, shapeTables } from './declared-tables.ts'
import { printChanges, type SeededValues } from './print-changes.ts'
import { PRUNABLE, type PrunableSection, removeSettings, requireSections, requireUnneeded } from './prune.ts'
import type { FindPresent } from './require-legal-records.ts'
import { removeItem, saveItems } from './save-items.ts'

/** Creates the missing attribute values that a setup lists. The module of attribute values provides it. */
type SeedValues = (
  tx: Tx,
  company: CompanyRules,
  attributeId: string,
  descriptions: Readonly<Record<string, string>>,
) => Promise<Pick<SeededValues, 'created' | 'changed'>>

export interface SetupReport {
  readonly changes: readonly Change[]
  readonly values: readonly SeededValues[]
  /** Indexes to build and drop after the setup is applied: building takes too long for a transaction. */
  readonly indexes: IndexChanges
  /** One line per change and the totals, for people to read. */
  readonly text: string
}

export interface SetupTask {
  readonly store: Store
  readonly file: string
  /** What the file holds, for a setup that is not on the disk: then `file` is its name in messages alone. */
  readonly text?: string | undefined
  readonly environment: NodeJS.ProcessEnv
  /** Who applies it in the console; absent: whoever runs the program. */
  readonly actor?: Actor | undefined
  readonly observe: Observe
  /** Sections whose items are removed when the file does not list them. */
  readonly prune?: readonly PrunableSection[] | undefined
  readonly seedValues: SeedValues
  /** Used to check stored records by stricter rules. */
  readonly findPresent: FindPresent
  /** Used to check and write subscriptions. */
  readonly webhooks: Webhooks
  /** Used to check the restrictions of roles. */
  readonly findBuiltIn: FindDocument
  /** Used to check indexes. */
  readonly findCommon: FindCommon
}

const OPERATOR: Actor = { userId: 'setup', clientId: '', requestId: '' }

const actorOf = ({ actor = OPERATOR }: SetupTask): Actor => actor

/** Reads, checks and applies the file. Throws one error with all problems of the file, one per line. */
export async function applySetup(task: SetupTask): Promise<SetupReport> {
  const setup = await readSetupFile(task)
  const report = await writeSetup(task, setup)
  task.observe({
    kind: 'setup-applied',
    file: basename(task.file),
    created: report.changes.filter((change) => change.kind === 'created').length,
    changed: report.changes.filter((change) => change.kind === 'changed').length,
    removed: report.changes.filter((change) => change.kind === 'removed').length,
    values: report.values.reduce((sum, one) => sum + one.created + one.changed, 0),
  })
  return report
}

/** A setup that changes nothing needs no room on the disk: a service whose disk is nearly full can be read. */
async function writeSetup(task: SetupTask, setup: Setup): Promise<SetupReport> {
  try {
    return await task.store.writeSetup(actorOf(task), (tx) => applyIn(tx, task, setup))
  } catch (refusal) {
    if (!(refusal instanceof Problem) || refusal.status !== 503) throw refusal
    const report = await trySetup(task, setup)
    if (hasChanged(report)) throw refusal
    return report
  }
}

function hasChanged({ changes, values }: SetupReport): boolean {
  const isChanged = changes.some(({ kind }) => kind !== 'unchanged' && kind !== 'kept')
  return isChanged || values.some(({ created, changed }) => created + changed > 0)
}

/** Applies the file like `applySetup` and rolls back: the report describes exactly what would happen. */
export async function previewSetup(task: SetupTask): Promise<SetupReport> {
  return trySetup(task, await readSetupFile(task))
}

function trySetup(task: SetupTask, setup: Setup): Promise<SetupReport> {
  return rolledBack(
    (tried: (tx: SetupTx) => Promise<never>) => task.store.writeSetup(actorOf(task), tried, true),
    (tx) => applyIn(tx, task, setup),
  )
}

async function readSetupFile(task: SetupTask): Promise<Setup> {
  const { store, file, text, environment, findBuiltIn, findCommon, webhooks } = task
  // Loaded on demand: most starts have no setup file, and the YAML parser takes time to load.
  const { printedPlace, readSetup } = await import('../check/read-setup.ts')
  const stored = await readItems(store.reading(''))
  const content = text ?? readText(file)
  const result = readSetup(content, environment, findBuiltIn, findCommon, webhooks, inForce(stored))
  if (result.problems)
    throw new InvalidSetup(result.problems.map((one) => ({ place: printedPlace(file, one), message: one.message })))
  await requireRoom(store, result.setup.documents ?? [])
  return result.setup
}

async function applyIn(setupTx: SetupTx, task: SetupTask, setup: Setup): Promise<SetupReport> {
  const global = await setupTx.in('')
  const stored = (await readItems(global)).filter((item) => !isMark(item))
  const wanted = await itemsOf(setup, stored, { hashSecret, verifySecret, environment: task.environment })
  const prunedKinds = (task.prune ?? []).map((section) => PRUNABLE[section])
  const changes = compareSetup(stored, wanted, prunedKinds)
  const removed = changes.filter((change) => change.kind === 'removed').map(({ item }) => item)
  const replaced = new Set(wanted.map(itemKey))
  const effectiveItems = [
    ...stored.filter((item) => !removed.includes(item) && !replaced.has(itemKey(item))),
    ...wanted,
  ]
  requireSections(setup, task.prune ?? [], removed)
  requireUnneeded(removed, effectiveItems)
  if (task.actor) requireAdministrator(task.actor, effectiveItems)
  await saveItems(global, changes)
  for (const item of removed) await removeItem(await setupTx.in(item.companyId), item, task.webhooks)
  await removeSettings(setupTx, removed, effectiveItems)

  requireSameShape(stored, setup.documents ?? [])
  const documents = setup.documents ?? []
  const stricterDocuments = await shapeTables(setupTx, stored, documents)

  const rules = rulesFrom(effectiveItems)
  const values: SeededValues[] = []
  for (const company of setup.companies ?? []) {
    const tx = await setupTx.in(company.id)
    await saveItems(tx, changes)
    const companyRules = rules.get(company.id)
    if (!companyRules) throw new Error(`company ${company.id} has no rules after its setup was read`)
    await writeRuleTables(tx, companyRules)
    await writeSubscriptions(tx, task, company, effectiveItems)
    for (const [attributeId, descriptions] of Object.entries(company.attributeValues ?? {})) {
      const seeded = await task.seedValues(tx, companyRules, attributeId, descriptions)
      values.push({ companyId: company.id, attributeId, ...seeded })
    }
  }
  await requireLegalRecords(setupTx, documents, stricterDocuments, rules.values(), task.findPresent)
  const indexes = [...wantedIndexes(effectiveItems, task.findCommon).values()].flat()
  const last = await setupTx.in('')
  await markSource(last, task.actor)
  await putAppliedSetup(last, last.entryNo)
  const pendingIndexes = indexChanges(indexes, await task.store.setupIndexes())
  return { changes, values, indexes: pendingIndexes, text: printChanges(changes, values, pendingIndexes) }
}

async function writeSubscriptions(
  tx: Tx,
  { webhooks, environment }: SetupTask,
  { subscriptions = [] }: CompanySetup,
  items: readonly SetupItem[],
): Promise<void> {
  for (const subscription of subscriptions) {
    const client = items.find(({ kind, id }) => kind === 'client' && id === subscription.client)
    const { user = '' } = (client?.definition ?? {}) as Partial<ClientDefinition>
    await webhooks.put(tx, subscription, user, environment[subscription.secretEnv] ?? '')
  }
}

/** Copies companies, attributes, relations and value lists to tables that queries can join. */
async function writeRuleTables(tx: Tx, company: CompanyRules): Promise<void> {
  for (const attribute of company.attributes.values()) await putAttribute(tx, attributeRow(attribute))
  for (const relation of company.relations.values()) await putRelation(tx, relationRow(relation))
  await putCompany(tx, { name: company.name, language: company.language, current_period: company.setPeriod })
  for (const name of company.valueLists.names) await writeValueList(tx, company, name)
}

async function writeValueList(tx: Tx, company: CompanyRules, name: string): Promise<void> {
  const wanted = company.valueLists.rowsOf(name)
  for (const row of wanted) {
    const number = /^-?\d{1,15}$/.test(row.code) ? Number(row.code) : 0
    await putCode(tx, { ...row, number, is_fallback: row.is_fallback ? 1 : 0 })
  }
  const wantedKeys = new Set(wanted.map(({ language, code }) => JSON.stringify([language, code])))
  for (const { language, code } of await listCodes(tx, name)) {
    if (!wantedKeys.has(JSON.stringify([language, code]))) await deleteCode(tx, name, language, code)
  }
}

function attributeRow(attribute: AttributeRules) {
  return {
    attribute_id: attribute.id,
    name: attribute.name,
    description: attribute.description,
    maintenance: attribute.manual ? 'manual' : 'system',
    contact_points: attribute.contactPoints ? 1 : 0,
    auto_numbering: attribute.numbering ? 1 : 0,
    owner_attribute_id: attribute.owner ?? '',
  }
}

function relationRow(relation: RelationRules) {
  return {
    relation_id: relation.id,
    name: relation.name,
    group_name: relation.group,
    attribute_id: relation.attributeId,
    related_attribute_id: relation.relatedAttributeId,
  }
}

// Forbidden changes: the key of a document that has records, and the types of its properties.

/** Throws one error that lists every change which the stored records could not follow. */
function requireSameShape(stored: readonly SetupItem[], wanted: readonly DocumentSetup[]): void {
  const faults = wanted.flatMap((document) => {
    const item = stored.find(({ kind, id }) => kind === 'document' && id === document.name)
    const messages = item ? forbiddenChanges(item.definition as DocumentSetup, document) : []
    return messages.map((message) => ({ place: `document ${document.name}`, message }))
  })
  requireNoFault(faults)
}

function forbiddenChanges(before: DocumentSetup, after: DocumentSetup): string[] {
  // The service does not own an external table, so there is no stored shape to preserve.
  if (before.table !== undefined || after.table !== undefined) return []
  const [old, now] = [declaredTableOf(before), declaredTableOf(after)]
  const types = new Map(old.columns.map((column) => [column.name, typeOf(column)]))
  const changed = now.columns
    .filter((column) => types.has(column.name) && types.get(column.name) !== typeOf(column))
    .map((column) => `${column.name} is kept as ${types.get(column.name)}; its type cannot become ${typeOf(column)}`)
  const isSameKey = JSON.stringify(old.key) === JSON.stringify(now.key)
  return isSameKey
    ? changed
    : [...changed, `its records are kept by the key ${old.key.join(', ')}, which cannot change`]
}

function typeOf({ type, scale }: DeclaredTable['columns'][number]): string {
  return scale === undefined ? type : `${type} of scale ${scale}`
}
