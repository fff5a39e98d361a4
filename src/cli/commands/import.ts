import { Command, Option } from 'commander'
import { formatSetting, type StoreFlags, setting, storeSettings } from '../settings.ts'

export interface ImportSettings extends StoreFlags {
  readonly company?: string
  readonly format?: 'csv' | 'ndjson'
  readonly again?: boolean
  readonly update?: boolean
}

/** `import DOCUMENT FILE`: imports valid rows and writes the others with their problems to a rejects file. */
export function importCommand(): Command {
  const command = new Command('import')
    .description(
      'load records from a CSV or NDJSON file, checked row by row; the service must not be running on SQLite',
    )
    .argument('<document>', 'such as general-ledger-transactions, customers or a document of the setup')
    .argument('<file>', 'CSV with a line of names first, or a JSON object a line')
    .addOption(setting('--company <id>', 'company to import into; may be left out when there is one'))
    .addOption(formatSetting())
    .addOption(new Option('--update', 'change customers that exist already instead of rejecting them'))
    .addOption(new Option('--again', 'import a file again that was imported already'))
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium import general-ledger-transactions ledger.csv --company EN\n  tabularium import customers shop.ndjson --company EN --update',
    )
  for (const option of storeSettings()) command.addOption(option)
  return command.action(async (document: string, file: string, settings: ImportSettings) => {
    const { runImport } = await import('../actions/import.ts')
    await runImport(document, file, settings)
  })
}
