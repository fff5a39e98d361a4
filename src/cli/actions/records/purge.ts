import type { Records } from '../../../app/setup/open-records.ts'
import type { FileStore } from '../../../files/file-store.ts'
import { criteriaOf, type PurgeLimits } from '../../../lifecycle/criteria.ts'
import { type Fate, type Judged, purge } from '../../../lifecycle/purge.ts'
import { type JournalPurge, purgeJournal } from '../../../lifecycle/purge-journal.ts'
import { labelOf, type RecordName } from '../../../lifecycle/record-name.ts'
import { deleteExpiredRecords } from '../../../records/shared/idempotency-store.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import { badUsage } from '../../terminal/bad-usage.ts'
import { formatCount, formatCountOf } from '../../terminal/progress.ts'
import type { Output, Terminal } from '../../terminal/terminal.ts'
import { companiesOf, type FileFlags, withFiles } from './find-records.ts'

export interface PurgeSettings extends FileFlags {
  readonly company?: string
  readonly expired?: boolean
  /** These are instants in the stored form. */
  readonly deletedBefore?: string
  readonly closedBefore?: string
  readonly journalBefore?: string
  readonly dryRun?: boolean
}

const ACTOR = { userId: 'purge', clientId: '', requestId: '' }

export function runPurge(settings: PurgeSettings, terminal: Terminal): Promise<void> {
  const limits = limitsOf(settings)
  return withFiles(settings, terminal, (records, files) => purgeAll(records, files, limits, settings, terminal.stdout))
}

async function purgeAll(
  records: Records,
  files: FileStore,
  limits: PurgeLimits,
  { company: wanted, journalBefore, dryRun: isDryRun = false }: PurgeSettings,
  output: Output,
): Promise<void> {
  const { documents, service } = records
  const { store, companies, own } = service
  const { setupVersion } = companies
  const work = { store, files, documents, declaredRecords: own.records, setupVersion, actor: ACTOR, isDryRun }
  const tally = new Map<string, number>()
  for (const company of companiesOf(records, wanted)) {
    const report = (judged: Judged) => {
      output.write(lineOf(company, judged, isDryRun))
      const group = judged.fate === 'removed' ? groupOf(judged.target) : judged.fate
      tally.set(group, (tally.get(group) ?? 0) + 1)
    }
    await purge({ ...work, company, criteria: criteriaOf(company, own.records.values(), limits), report })
    await purgeOldEntries({ store, actor: ACTOR, company, isDryRun }, journalBefore, output)
    if (!isDryRun) await deleteExpiredRecords(store, company.id, ACTOR, new Date())
  }
  output.write(summaryOf(tally, isDryRun))
}

/** Removed records are counted by these. */
function groupOf({ kind }: RecordName): string {
  return !kind.own && SHOWN.includes(kind.word) ? kind.word : `${OF_OTHERS}${kind.name}`
}

/** Told of even where there are none. */
const SHOWN = ['document', 'customer', 'value']
const OF_OTHERS = 'of '

async function purgeOldEntries(
  task: Omit<JournalPurge, 'before'> & { readonly company: CompanyRules },
  before: string | undefined,
  output: Output,
): Promise<void> {
  const { id, holds } = task.company
  if (before === undefined) return
  if (holds.length > 0) {
    output.write(`${id} change log: kept, the company has holds\n`)
    return
  }
  const entries = formatCountOf(await purgeJournal({ ...task, before }), 'entry')
  output.write(`${id} change log: ${task.isDryRun ? 'would empty' : 'emptied'} ${entries}\n`)
}

function limitsOf({ expired, deletedBefore, closedBefore, journalBefore }: PurgeSettings): PurgeLimits {
  if (!expired && [deletedBefore, closedBefore, journalBefore].every((limit) => limit === undefined)) {
    throw badUsage('name what is to be purged: --expired, --deleted-before, --closed-before or --journal-before')
  }
  return { expiredBefore: expired ? new Date().toISOString() : undefined, deletedBefore, closedBefore }
}

const FATES: Readonly<Record<Fate, (why: string) => string>> = {
  removed: (why) => why,
  held: (why) => `kept, held by ${why}`,
  'in use': (why) => `kept, ${why} refer to it`,
  'changed meanwhile': () => 'kept, changed meanwhile',
}

function lineOf({ id }: CompanyRules, { target, fate, why }: Judged, isDryRun: boolean): string {
  const verb = fate === 'removed' ? (isDryRun ? 'would remove: ' : 'removed: ') : ''
  return `${id} ${labelOf(target)}: ${verb}${FATES[fate](why)}\n`
}

function summaryOf(tally: ReadonlyMap<string, number>, isDryRun: boolean): string {
  const count = (group: string) => tally.get(group) ?? 0
  const removed = SHOWN.map((kind) => formatCountOf(count(kind), kind))
  for (const group of tally.keys()) {
    if (group.startsWith(OF_OTHERS)) removed.push(`${formatCountOf(count(group), 'record')} ${group}`)
  }
  const kept = `${formatCount(count('held'))} held, ${formatCount(count('in use'))} in use`
  return `${isDryRun ? 'would remove' : 'removed'} ${removed.join(', ')}; kept: ${kept}\n`
}
