import type { Records } from '../../../app/setup/open-records.ts'
import { readText } from '../../../base/process/files.ts'
import { decoded } from '../../../base/text.ts'
import { driverAt } from '../../../databases/open/drivers.ts'
import { type EraseTask, erase, NotErased } from '../../../lifecycle/erase.ts'
import { findNoted, listNoted, type Noted } from '../../../lifecycle/noted.ts'
import { printedName, type RecordName } from '../../../lifecycle/record-name.ts'
import type { RecordsAtWork } from '../../../lifecycle/records-at-work.ts'
import { emptySpool } from '../../../parquet/spool-folder.ts'
import { keyFrom } from '../../../records/engine/record.ts'
import { removableKindOf } from '../../../records/kinds/engine-records.ts'
import { removableKinds } from '../../../records/kinds/kinds.ts'
import type { RecordKey } from '../../../records/shared/record-type.ts'
import type { RecordRules } from '../../../setup/rules/record-rules.ts'
import { badUsage, requireFile, unknownName } from '../../terminal/bad-usage.ts'
import { formatCountOf } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { companiesOf, type FileFlags, requireCompany, withFiles } from './find-records.ts'

export interface EraseSettings extends FileFlags {
  readonly company?: string
  readonly reason: string
}

const ACTOR = { userId: 'erase', clientId: '', requestId: '' }

/** Erases the records that `find` names among those of the setup and of the service. */
async function eraseFound(
  find: (records: Records) => readonly RecordName[],
  settings: EraseSettings,
  terminal: Terminal,
): Promise<void> {
  const reason = settings.reason.trim()
  if (reason === '') throw badUsage("option '--reason': it must not be empty")
  await withRecords(settings, terminal, async (records, work) => {
    const company = requireCompany(records, settings.company)
    const subjects = find(records)
    await eraseEach(
      subjects.map((subject) => ({ ...work, company, subject, reason })),
      settings,
      terminal,
    )
    await driverAt(settings).rewrite(settings)
  })
}

/** Erases records of the service; `word`: as commands name their kind. */
export function eraseBuiltIn(
  word: string,
  keys: readonly (readonly string[])[],
  settings: EraseSettings,
  terminal: Terminal,
): Promise<void> {
  const kinds = removableKinds([]).filter((kind) => kind.word === word)
  const subjects = kinds.flatMap((kind) => keys.map((texts) => ({ kind, key: { texts, stored: texts } })))
  return eraseFound(() => subjects, settings, terminal)
}

/** Erases records of a document of the setup. */
export function eraseOwnRecords(
  document: string,
  keys: readonly string[],
  settings: EraseSettings,
  terminal: Terminal,
): Promise<void> {
  return eraseFound(
    ({ service }) => {
      const { records } = service.own
      const rules = records.get(document)
      if (!rules) throw unknownName("argument 'document'", 'document of the setup', document, [...records.keys()])
      return keys.map((key) => ({ kind: removableKindOf(rules), key: requireKey(rules, key) }))
    },
    settings,
    terminal,
  )
}

/** A key of several parts is written as in the address of its record. */
function requireKey(rules: RecordRules, text: string): RecordKey {
  const { keyNames } = rules
  const parts = keyNames.length === 1 ? [text] : text.split('/').map(decoded)
  const key = parts.length === keyNames.length ? keyFrom(rules, parts) : undefined
  if (key) return key
  throw badUsage(`argument 'keys': '${text}' is no key of ${rules.name}, which is ${keyNames.join('/')}`)
}

async function eraseEach(tasks: readonly EraseTask[], { data }: EraseSettings, terminal: Terminal): Promise<void> {
  for (const task of tasks) {
    try {
      const { referredBy, entries } = await erase(task)
      await emptySpool(data, task.company.id)
      const fate = referredBy === undefined ? 'removed' : `${emptied(task.subject)}, because ${referredBy} refer to it`
      const what = `${task.company.id} ${printedName(task.subject)}: ${fate}`
      terminal.stdout.write(`${what}; ${formatCountOf(entries, 'entry')} of the change log erased\n`)
    } catch (error) {
      if (!(error instanceof NotErased)) throw error
      terminal.stderr.write(`tabularium: ${error.message}\n`)
      terminal.exitCode = 1
    }
  }
}

function emptied({ kind: { own } }: RecordName): string {
  return own && !own.state ? 'emptied' : 'emptied and closed'
}

function withRecords(
  settings: EraseSettings,
  terminal: Terminal,
  run: (records: Records, work: RecordsAtWork) => Promise<void>,
): Promise<void> {
  return withFiles(settings, terminal, (records, files) => {
    const { documents, service } = records
    const { store, companies, own } = service
    const { setupVersion } = companies
    return run(records, { store, files, documents, declaredRecords: own.records, setupVersion, actor: ACTOR })
  })
}

export async function printNoted(settings: EraseSettings, terminal: Terminal): Promise<void> {
  await withRecords(settings, terminal, async (records, { store }) => {
    for (const company of companiesOf(records, settings.company)) {
      for (const { kind, digest } of await listNoted(store.reading(company.id))) {
        terminal.stdout.write(`${company.id}:${kind}:${digest}\n`)
      }
    }
  })
}

/** Erases the records of a restored backup that were erased since it was taken. */
export async function eraseAgain(file: string, settings: EraseSettings, terminal: Terminal): Promise<void> {
  requireFile("argument 'file'", file)
  const noted = readNoted(file)
  await withRecords(settings, terminal, async (records, work) => {
    const tasks: EraseTask[] = []
    for (const { id } of records.service.companies.all) {
      const company = records.service.companies.require(id)
      const wanted = noted.filter(({ companyId }) => companyId === company.id)
      const subjects = wanted.length === 0 ? [] : await findNoted(work, company, wanted)
      tasks.push(...subjects.map((subject) => ({ ...work, company, subject, reason: 'erased before' })))
    }
    await eraseEach(tasks, settings, terminal)
    if (tasks.length > 0) await driverAt(settings).rewrite(settings)
    terminal.stdout.write(`${formatCountOf(tasks.length, 'record')} of ${noted.length} found and erased again\n`)
  })
}

/** The company id may contain colons. */
const LINE = /^(.*):([a-z][a-z0-9-]*):([0-9a-f]{64})$/

function readNoted(file: string): (Noted & { readonly companyId: string })[] {
  const lines = readText(file).split(/\r?\n/)
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return []
    const [, companyId, kind, digest] = LINE.exec(line) ?? []
    if (companyId === undefined || kind === undefined || digest === undefined) {
      throw badUsage(`argument 'file': line ${at + 1} is not COMPANY:KIND:DIGEST`)
    }
    return [{ companyId, kind, digest }]
  })
}
