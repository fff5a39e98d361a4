import { Argument, Command, Option } from 'commander'
import type { ExportSettings } from '../actions/records/export.ts'
import { namedService, placeSettings } from '../settings/credentials.ts'
import { setting } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `export DOCUMENT [FILE]`: writes the filtered records in key order, from one snapshot. */
export function exportCommand(terminal: Terminal): Command {
  const command = new Command('export')
    .description(
      'write records as CSV, NDJSON or Parquet, also while the service runs; says of which change number they are',
    )
    .argument('<document>', 'such as attribute-values or a document of the setup')
    .addArgument(new Argument('[file]', 'default: standard output'))
    .addOption(setting('--company <id>', 'company to export; may be left out when there is one'))
    .addOption(new Option('--filter <filter>', 'which records, in the language of the object endpoints'))
    .addOption(new Option('--select <properties>', 'which properties; lists and associations when named'))
    .addOption(
      new Option(
        '--format <format>',
        'csv for programs, excel, ndjson or parquet; default: as the name of the file ends',
      ).choices(['csv', 'ndjson', 'excel', 'parquet']),
    )
    .addHelpText(
      'after',
      `\nThe change number is written to standard error: GET /v1/changes goes on from there without a gap.\n\nExamples:\n  tabularium export general-ledger-transactions ledger.csv --company EN --filter "period eq 202601"\n  tabularium export general-ledger-transactions ledger.parquet --company EN\n  tabularium export customers --company EN --select customerId,customerName > customers.ndjson`,
    )
  for (const option of placeSettings()) command.addOption(option)
  return command.action(async (document: string, file: string | undefined, settings: ExportSettings) => {
    const credentials = namedService(command, terminal.env)
    if (credentials) {
      const { exportFrom } = await import('../actions/service/export.ts')
      return await exportFrom(credentials, document, file, settings, terminal)
    }
    const { runExport } = await import('../actions/records/export.ts')
    return await runExport(document, file, settings, terminal)
  })
}
