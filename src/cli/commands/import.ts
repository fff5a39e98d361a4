import { Command, InvalidArgumentError, Option } from 'commander'
import { anyOf } from '../../base/text.ts'
import { DAY_ORDERS, DECIMAL_SIGNS } from '../../transfer/rows/cell-forms.ts'
import { SEPARATOR_NAMES } from '../../transfer/rows/separators.ts'
import { ENCODING_NAMES } from '../../transfer/rows/text-form.ts'
import type { ImportSettings, ReadingFlags } from '../actions/records/import-settings.ts'
import { namedService, placeSettings } from '../settings/credentials.ts'
import { setting } from '../settings/settings.ts'
import { badUsage } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `import DOCUMENT FILE`: imports valid rows and writes the others with their problems to a rejects file. */
export function importCommand(terminal: Terminal): Command {
  const command = new Command('import')
    .summary('load records from a CSV or NDJSON file')
    .description('load records from a CSV or NDJSON file, checked row by row, also while the service runs')
    .argument('<document>', 'such as general-ledger-transactions, customers or a document of the setup')
    .argument('[file]', 'CSV with a line of names first, or a JSON object a line')
    .addOption(setting('--company <id>', 'company to import into; may be left out when there is one'))
    .addOption(
      new Option('--format <format>', 'default: as the name of the file ends (.csv, .tsv and .txt are CSV)').choices([
        'csv',
        'ndjson',
      ]),
    )
    .option('--update', 'change customers that exist already instead of rejecting them')
    .option('--keep-ids', 'keep the ids of the file where a series gives them, which goes on behind')
    .option('--again', 'import a file again that was imported already')
    .option('--dry-run', 'check every row and tell what would be imported, without storing anything')
    .option('--template', 'print the line of names of a CSV file for the document, instead of importing')
    .option('--map-template <file>', 'write a map of the headings with suggestions, instead of importing')
    .addOption(
      new Option(
        '--with <list=file>',
        'a file of the items of a list, each with the key of its record: lines=lines.csv; once for each list',
      ).argParser((file: string, before: readonly string[] = []) => [...before, file]),
    )
    .option('--add-codes <attributes>', 'add codes that the attributes do not have: C1,C5')
    .option(
      '--read-with <name=value...>',
      `how a file is read whose content does not tell: separator, encoding, decimal (comma, point), dates (${DAY_ORDERS.join(', ')})`,
      parseReadWith,
    )
    .option('--map <file>', 'YAML, a line for each heading that is no property: `Customer no.: customerId`')
  for (const option of placeSettings()) command.addOption(option)
  command.addHelpText(
    'after',
    '\nExamples:\n  tabularium import general-ledger-transactions ledger.csv --company EN\n  tabularium import customers shop.ndjson --company EN --update\n  tabularium import customers --template > customers.csv\n  tabularium import customers crm.csv --map crm.yaml --dry-run',
  )
  return command.action(async (document: string, file: string | undefined, settings: ImportSettings) => {
    const credentials = namedService(command, terminal.env, ['again', 'template', 'map-template'])
    if (file === undefined && !settings.template) throw badUsage("missing required argument 'file'")
    if (credentials && file !== undefined) {
      const { importInto } = await import('../actions/service/import.ts')
      return importInto(credentials, document, file, settings, terminal)
    }
    const { printTemplate, runImport, writeMapTemplate } = await import('../actions/records/import.ts')
    if (file !== undefined && settings.mapTemplate !== undefined) {
      return writeMapTemplate(document, file, settings, terminal)
    }
    return file === undefined || settings.template
      ? printTemplate(document, settings, terminal)
      : runImport(document, file, settings, terminal)
  })
}

const READ_WITH: Readonly<Record<keyof ReadingFlags, readonly string[]>> = {
  separator: SEPARATOR_NAMES,
  encoding: ENCODING_NAMES,
  decimal: DECIMAL_SIGNS,
  dates: DAY_ORDERS,
}

function parseReadWith(text: string, before: ReadingFlags | undefined): ReadingFlags {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
  const values = Object.entries(READ_WITH).find(([known]) => known === name)?.[1]
  if (!values)
    throw new InvalidArgumentError(`It must be ${anyOf(Object.keys(READ_WITH))} with a value, such as decimal=comma.`)
  if (!values.includes(value)) throw new InvalidArgumentError(`The ${name} must be one of ${values.join(' ')}.`)
  return { ...before, [name]: value }
}
