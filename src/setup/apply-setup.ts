// Applies a setup file: in one transaction, or, to see what it would change, in one that is undone.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { hashSecret, verifySecret } from '../access/secrets.ts'
import type { Observe } from '../observe/observation.ts'
import { writeEntry } from '../store/journal.ts'
import { type IndexChanges, indexChanges } from '../store/setup-index.ts'
import {
  deleteCode,
  listCodes,
  listSetupItems,
  putAttribute,
  putCode,
  putCompany,
  putRelation,
  putSetupItem,
} from '../store/setup-store.ts'
import type { Actor, SetupTx, Store, Tx } from '../store/store.ts'
import type { FindDocument } from './check/rules-of-roles.ts'
import { type Change, compareSetup } from './compare-setup.ts'
import { requireSameShape } from './document-changes.ts'
import { type FindCommon, wantedIndexes } from './document-indexes.ts'
import { ownTableOf } from './own-document.ts'
import { printChanges } from './print-changes.ts'
import type { AttributeRules, CompanyRules, RelationRules } from './rules.ts'
import { itemOf, itemsOf, rulesFrom, type SetupItem } from './setup-items.ts'
import type { Setup } from './setup-schema.ts'

/** How many values of an attribute were made and how many got another description. */
export interface SeededValues {
  readonly companyId: string
  readonly attributeId: string
  readonly created: number
  readonly changed: number
}

/** Makes the values that a setup lists and are missing; given by the slice whose records they are. */
export type SeedValues = (
  tx: Tx,
  company: CompanyRules,
  attributeId: string,
  descriptions: Readonly<Record<string, string>>,
) => Promise<Pick<SeededValues, 'created' | 'changed'>>

export interface SetupReport {
  readonly changes: readonly Change[]
  readonly values: readonly SeededValues[]
  /** What is still to be built and dropped once this is applied: it takes too long for a transaction. */
  readonly indexes: IndexChanges
  /** For people: one line a change, and the totals. */
  readonly text: string
}

export interface SetupTask {
  readonly store: Store
  readonly file: string
  readonly environment: NodeJS.ProcessEnv
  readonly observe: Observe
  readonly seedValues: SeedValues
  /** For the rules of roles. */
  readonly findBuiltIn: FindDocument
  /** For indexes. */
  readonly findCommon: FindCommon
}

const ACTOR: Actor = { userId: 'setup', clientId: '', requestId: '' }

/** Reads, checks and applies the file. Throws one error with all problems of the file, a line each. */
export async function applySetup(task: SetupTask): Promise<SetupReport> {
  const setup = await readWhole(task)
  const report = await task.store.writeSetup(ACTOR, (tx) => applyTo(tx, task, setup))
  task.observe({
    kind: 'setup-applied',
    file: basename(task.file),
    created: report.changes.filter((change) => change.kind === 'created').length,
    changed: report.changes.filter((change) => change.kind === 'changed').length,
    values: report.values.reduce((sum, one) => sum + one.created + one.changed, 0),
  })
  return report
}

/** Does all that `applySetup` does and undoes it, so that what it says is what would happen. */
export async function previewSetup(task: SetupTask): Promise<SetupReport> {
  const setup = await readWhole(task)
  let report: SetupReport | undefined
  try {
    await task.store.writeSetup(ACTOR, async (tx) => {
      report = await applyTo(tx, task, setup)
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  if (!report) throw new Error('the preview gave no report')
  return report
}

class Undone extends Error {}

async function readWhole({ file, environment, findBuiltIn, findCommon }: SetupTask): Promise<Setup> {
  // Loaded when there is a file: most starts have none.
  const { formatProblem, readSetup } = await import('./read-setup.ts')
  const result = readSetup(readFileSync(file, 'utf8'), environment, findBuiltIn, findCommon)
  if (result.problems) throw new Error(result.problems.map((problem) => formatProblem(file, problem)).join('\n'))
  return result.setup
}

async function applyTo(setupTx: SetupTx, task: SetupTask, setup: Setup): Promise<SetupReport> {
  const global = await setupTx.in('')
  const stored = (await listSetupItems(global)).map(itemOf)
  const wanted = await itemsOf(setup, stored, { hashSecret, verifySecret, environment: task.environment })
  const changes = compareSetup(stored, wanted)
  const written = changes.filter((change) => change.kind === 'created' || change.kind === 'changed')
  await save(
    global,
    written.filter((change) => change.item.companyId === ''),
  )

  requireSameShape(stored, setup.documents ?? [])
  for (const document of setup.documents ?? []) {
    if (document.table === undefined) await setupTx.shape(ownTableOf(document))
  }

  const inForceNow = [...stored.filter((item) => !wanted.some((other) => isSame(item, other))), ...wanted]
  const rules = rulesFrom(inForceNow)
  const values: SeededValues[] = []
  for (const company of setup.companies ?? []) {
    const tx = await setupTx.in(company.id)
    await save(
      tx,
      written.filter((change) => change.item.companyId === company.id),
    )
    const inForce = rules.get(company.id)
    if (!inForce) throw new Error(`company ${company.id} has no rules after its setup was read`)
    await projectRules(tx, inForce)
    for (const [attributeId, descriptions] of Object.entries(company.attributeValues ?? {})) {
      const seeded = await task.seedValues(tx, inForce, attributeId, descriptions)
      values.push({ companyId: company.id, attributeId, ...seeded })
    }
  }
  const indexes = [...wantedIndexes(inForceNow, task.findCommon).values()].flat()
  const toDo = indexChanges(indexes, await task.store.setupIndexes())
  return { changes, values, indexes: toDo, text: printChanges(changes, values, toDo) }
}

function isSame(one: SetupItem, other: SetupItem): boolean {
  return one.companyId === other.companyId && one.kind === other.kind && one.id === other.id
}

async function save(tx: Tx, changes: readonly Change[]): Promise<void> {
  for (const { item, before } of changes) {
    const definition = JSON.stringify(item.definition)
    await putSetupItem(tx, { company_id: item.companyId, kind: item.kind, id: item.id, definition })
    await writeEntry(await tx.next(), {
      entity: `setup-${item.kind}`,
      key: [item.id],
      operation: before ? 'update' : 'create',
      before: before ? journalText(before) : '',
      after: journalText(item),
    })
  }
}

/** The change log is read by others later: it tells that a secret has changed, not even its hash. */
function journalText({ definition }: SetupItem): string {
  return JSON.stringify(definition, (name, value) => (name === 'secretHash' ? '(hidden)' : value))
}

/** Companies, attributes, relations and value lists also stand in tables of their own, which answers join. */
async function projectRules(tx: Tx, company: CompanyRules): Promise<void> {
  for (const attribute of company.attributes.values()) await putAttribute(tx, attributeRow(attribute))
  for (const relation of company.relations.values()) await putRelation(tx, relationRow(relation))
  await putCompany(tx, { name: company.name, language: company.language, current_period: company.setPeriod })
  for (const name of company.valueLists.names) await projectValueList(tx, company, name)
}

async function projectValueList(tx: Tx, company: CompanyRules, name: string): Promise<void> {
  const wanted = company.valueLists.rowsOf(name)
  for (const row of wanted) {
    const number = /^-?\d{1,15}$/.test(row.code) ? Number(row.code) : 0
    await putCode(tx, { ...row, number, is_fallback: row.is_fallback ? 1 : 0 })
  }
  const known = new Set(wanted.map(({ language, code }) => JSON.stringify([language, code])))
  for (const { language, code } of await listCodes(tx, name)) {
    if (!known.has(JSON.stringify([language, code]))) await deleteCode(tx, name, language, code)
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
