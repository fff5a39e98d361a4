import { Command, InvalidArgumentError, Option } from 'commander'
import { parseDateTime, timeBefore } from '../../base/dates.ts'
import type { PurgeSettings } from '../actions/records/purge.ts'
import { filesSetting, setting, storeSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const HELP = `
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
    .addOption(new Option('--expired', 'documents whose expiry date has passed'))
    .addOption(new Option('--deleted-before <time>', 'documents that were deleted before it').argParser(parseTime))
    .addOption(
      new Option(
        '--closed-before <time>',
        'customers, values and records of the setup that are closed, and unchanged since',
      ).argParser(parseTime),
    )
    .addOption(
      new Option(
        '--journal-before <time>',
        'keys and texts of entries of the change log that were written before it; at least two days ago',
      ).argParser(parseJournalTime),
    )
    .addOption(new Option('--dry-run', 'tell what would be removed, and write nothing'))
    .addHelpText('after', HELP)
  for (const option of [...storeSettings(), filesSetting()]) command.addOption(option)
  return command.action(async (settings: PurgeSettings) => {
    const { runPurge } = await import('../actions/records/purge.ts')
    await runPurge(settings, terminal)
  })
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
