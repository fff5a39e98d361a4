import { Command, InvalidArgumentError, Option } from 'commander'
import { parseDateTime, timeBefore } from '../../base/dates.ts'
import type { EraseSettings } from '../actions/records/erase.ts'
import { filesSetting, setting, storeSettings, withOptions } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { lazily } from './lazily.ts'

const PURGE_HELP = `
A time is a date (2026-01-31) or an age in days, months or years (90d, 24m, 10y). What something else refers to stays, and
so does what a legal hold of the setup names (companies/holds); both are told. Expired Idempotency-Keys go with each purge.
A company with any hold keeps its change log. Each record that is removed is an entry of the change log, with its key.

Exit code 0, also when records were kept; 2 for bad usage.

Examples:
  tabularium purge --expired --deleted-before 90d --dry-run
  tabularium purge --closed-before 10y --journal-before 10y --company EN`

/** `purge`: removes for good what is expired, deleted or closed for long. */
export function purgeCommand(terminal: Terminal): Command {
  const command = new Command('purge')
    .description('remove for good what is expired, deleted or closed for long, with files and search texts')
    .addOption(setting('--company <id>', 'company to purge; absent: all'))
    .option('--expired', 'documents whose expiry date has passed')
    .option('--deleted-before <time>', 'documents that were deleted before it', parseTime)
    .option(
      '--closed-before <time>',
      'customers, values and records of the setup that are closed, and unchanged since',
      parseTime,
    )
    .option(
      '--journal-before <time>',
      'keys and texts of entries of the change log that were written before it; at least two days ago',
      parseJournalTime,
    )
    .option('--dry-run', 'tell what would be removed, and write nothing')
    .addHelpText('after', PURGE_HELP)
  return withOptions(command, [...storeSettings(), filesSetting()]).action(
    lazily(terminal, async () => (await import('../actions/records/purge.ts')).runPurge),
  )
}

/** Returns an instant in the stored form. */
function parseTime(text: string): string {
  const now = new Date().toISOString()
  const instant = timeBefore(now, text) ?? parseDateTime(text)
  if (instant === undefined)
    throw new InvalidArgumentError('It must be a date like 2026-01-31, or an age like 90d, 24m or 10y.')
  if (instant > now) throw new InvalidArgumentError('It must not be in the future.')
  return instant
}

/** Stored responses refer to the texts of younger entries. */
const JOURNAL_AGE = '2d'

function parseJournalTime(text: string): string {
  const instant = parseTime(text)
  if (instant < (timeBefore(new Date().toISOString(), JOURNAL_AGE) ?? '')) return instant
  throw new InvalidArgumentError('It must be more than two days ago.')
}

const ERASE_DESCRIPTION =
  'erase personal values for data protection: from the record, files, search, stored responses and the change log, whose chain stays provable'

const ERASE_HELP = `
A record that nothing refers to is removed for good; another one is emptied and closed. What a legal hold of the setup names
is not erased. At the end the database is rewritten, while writers wait: name all keys of a day in one command.

Exit code 1 when a key is unknown or held; the others are erased.

Examples:
  tabularium erase customer C-100 C-101 --company EN --reason "request of 2026-11-20"
  tabularium erase employees 4711 --company EN --reason "left in 2016"
  tabularium erase value COSTC 10211 --reason "left in 2016"
  tabularium erase document 0b0f2a0e-6f0c-4c5e-9b57-0a2c7f1f3f77 --reason "request of 2026-11-20"
  tabularium erase noted >> /mnt/elsewhere/erased.txt
  tabularium erase again /mnt/elsewhere/erased.txt`

/** `erase`: erases the personal values of records. */
export function eraseCommand(terminal: Terminal): Command {
  const erase = async (word: string, ids: string[], keyOf: (id: string) => string[], settings: EraseSettings) => {
    const { eraseBuiltIn } = await import('../actions/records/erase.ts')
    await eraseBuiltIn(word, ids.map(keyOf), settings, terminal)
  }
  const customer = new Command('customer')
    .description('erase customers, each with its value, contact points, bank accounts and custom fields')
    .argument('<ids...>', 'ids of customers')
    .action((ids: string[], settings: EraseSettings) => erase('customer', ids, (id) => [id], settings))
  const value = new Command('value')
    .description('erase values of an attribute, each with all its periods')
    .argument('<attribute>', 'id of the attribute')
    .argument('<values...>', 'values of it')
    .action((attributeId: string, values: string[], settings: EraseSettings) =>
      erase('value', values, (value) => [attributeId, value], settings),
    )
  const document = new Command('document')
    .description('erase documents, each with the contents of all its revisions')
    .argument('<ids...>', 'ids of documents')
    .action((ids: string[], settings: EraseSettings) => erase('document', ids, (id) => [id.toLowerCase()], settings))
  const record = new Command('record')
    .description('erase records of a document of the setup; the word `record` may be left out')
    .argument('<document>', 'name of the document, such as employees')
    .argument('<keys...>', 'their keys; one of several parts as in its address, such as EUR/2026-01-31')
    .action(lazily(terminal, async () => (await import('../actions/records/erase.ts')).eraseOwnRecords))
  const noted = new Command('noted')
    .description('print what was erased, as COMPANY:KIND:DIGEST, to be kept beside backups')
    .action(lazily(terminal, async () => (await import('../actions/records/erase.ts')).printNoted))
  const again = new Command('again')
    .description('erase again, in a restored backup, what was erased since it was taken')
    .argument('<file>', 'lines of `erase noted`')
    .action(lazily(terminal, async () => (await import('../actions/records/erase.ts')).eraseAgain))
  const reason = () =>
    new Option('--reason <text>', 'why, for the change log; without personal values').makeOptionMandatory()
  for (const one of [customer, value, document, record]) one.addOption(companySetting()).addOption(reason())
  noted.addOption(companySetting())
  const commands = [customer, value, document, record, noted, again]
  const all = new Command('erase').description(ERASE_DESCRIPTION).addHelpText('after', ERASE_HELP)
  for (const one of commands) {
    all.addCommand(withOptions(one, [...storeSettings(), filesSetting()]), { isDefault: one === record })
  }
  return all
}

function companySetting(): Option {
  return setting('--company <id>', 'company of the records; may be left out when there is one')
}
