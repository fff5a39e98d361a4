import { Command, Option } from 'commander'
import type { ChangesSettings } from '../actions/records/changes.ts'
import type { ExportSettings } from '../actions/records/export.ts'
import type { QueryFlags } from '../actions/service/query.ts'
import type { PatchFlags, RecordFlags } from '../actions/service/records.ts'
import {
  credentialsFrom,
  namedService,
  placeSettings,
  type ServiceFlags,
  serviceSettings,
} from '../settings/credentials.ts'
import { parsePositive, setting, withOptions } from '../settings/settings.ts'
import { badUsage } from '../terminal/bad-usage.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { lazily } from './lazily.ts'

/** `get`: one record. */
export function getCommand(terminal: Terminal): Command {
  const command = new Command('get')
    .description('print a record of a running service as JSON, and its entity tag on standard error')
    .argument('<resource>', 'such as customers, attribute-values, or a document that the setup declares')
    .argument('<key...>', 'the parts of its key')
    .addOption(companyOption())
    .addHelpText(
      'after',
      `
Exit code 1 when there is no such record.

Examples:
  tabularium get customers 1001
  tabularium get attribute-values C1 2096 0 --company EN`,
    )
  return withOptions(command, serviceSettings()).action(
    async (resource: string, key: readonly string[], flags: ServiceFlags & RecordFlags) => {
      const credentials = credentialsFrom(flags, terminal.env)
      const { printRecord } = await import('../actions/service/records.ts')
      await printRecord(credentials, { resource, key }, flags, { output: terminal.stdout, error: terminal.stderr })
    },
  )
}

/** `patch`: changes members of one record. */
export function patchCommand(terminal: Terminal): Command {
  const command = new Command('patch')
    .description('change a record of a running service, and print it as it is then')
    .argument('<resource>', 'such as customers')
    .argument('<key...>', 'the parts of its key; without --set a file of JSON Patch behind them, - for standard input')
    .option('--set <path=text...>', 'a JSON pointer and its new text; with := a number, true, false or other JSON')
    .option('--if-match <tag>', 'the entity tag that get has printed: fails if somebody has changed the record since')
    .option('--dry-run', 'check the change completely, and store nothing')
    .addOption(companyOption())
    .addHelpText(
      'after',
      `
All changes are stored, or none. Exit code 1 when the service refuses them; each field that is wrong is named.

Examples:
  tabularium patch customers 1001 --set "/customerName=Berg Pumper AS" --set /invoice/creditLimit:=50000
  tabularium patch customers 1001 changes.json --dry-run
  echo '[{"op":"replace","path":"/customerName","value":"Berg"}]' | tabularium patch customers 1001 -`,
    )
  return withOptions(command, serviceSettings()).action(
    async (resource: string, parts: readonly string[], flags: ServiceFlags & PatchFlags) => {
      const credentials = credentialsFrom(flags, terminal.env)
      const file = flags.set === undefined ? parts.at(-1) : undefined
      const key = file === undefined ? parts : parts.slice(0, -1)
      if (key.length === 0) throw badUsage("option '--set': it is missing, and so is a file behind the key")
      const { patchRecord } = await import('../actions/service/records.ts')
      const outputs = { output: terminal.stdout, error: terminal.stderr }
      await patchRecord(credentials, { resource, key }, { ...flags, file, input: terminal.stdin }, outputs)
    },
  )
}

const FORMATS: readonly Required<QueryFlags>['format'][] = ['table', 'json', 'ndjson', 'csv']

/** `query`: asks a running service a question in its own query language. */
export function queryCommand(terminal: Terminal): Command {
  const command = new Command('query')
    .summary('print records of a running service, or groups of them')
    .description('print records of a document of a running service, or groups of them')
    .argument(
      '<document>',
      'such as customers, with parameters of its own such as general-ledger-transactions?posted=true',
    )
    .option('--select <properties>', 'such as customerId,countryCode[C;T],invoice(creditLimit)')
    .option('--filter <condition>', `such as "countryCode eq 'SE'"`)
    .option('--order-by <properties>', 'such as "customerName desc"')
    .option('--limit <number>', 'at most so many; absent: all, of a table 100', parsePositive)
    .option('--group-by <properties>', 'a row for each group')
    .option('--aggregate <functions>', 'such as "count(), sum(invoice/creditLimit) as limit"')
    .addOption(companyOption())
    .addOption(new Option('--format <format>', 'default: a table on a terminal, elsewhere ndjson').choices(FORMATS))
    .addHelpText(
      'after',
      `
Exit code 1 when the service refuses the question, with its reason on standard error; 2 for bad usage.

Examples:
  tabularium query customers --select customerId,customerName --filter "countryCode eq 'SE'" --limit 20
  tabularium query customers --group-by countryCode --aggregate "count()" --order-by "count desc"
  tabularium query "general-ledger-transactions?posted=true" --format csv > ledger.csv`,
    )
  return withOptions(command, serviceSettings()).action(async (document: string, flags: ServiceFlags & QueryFlags) => {
    const credentials = credentialsFrom(flags, terminal.env)
    const { printQuery } = await import('../actions/service/query.ts')
    await printQuery(credentials, document, flags, { output: terminal.stdout, error: terminal.stderr })
  })
}

function companyOption(): Option {
  return new Option('--company <id>', "the company; default: that of the client's user")
}

/** `changes`: prints what was written, a JSON object on each line. */
export function changesCommand(terminal: Terminal): Command {
  const command = new Command('changes')
    .description('print what was written since, as one JSON object a line')
    .addOption(setting('--company <id>', 'company whose changes are printed; may be left out when there is one'))
    .requiredOption('--since <place>', 'after a change number such as 0, or after the id of a change')
    .addHelpText(
      'after',
      '\nGET /v1/changes also takes a filter, and waits for what is to come.\n\nExamples:\n  tabularium changes --company EN --since 0 > changes.ndjson',
    )
  return withOptions(command, placeSettings()).action(async (settings: ChangesSettings) => {
    const credentials = namedService(command, terminal.env)
    if (credentials) {
      const { printChanges } = await import('../actions/service/changes.ts')
      return await printChanges(credentials, settings, terminal)
    }
    const { runChanges } = await import('../actions/records/changes.ts')
    return await runChanges(settings, terminal)
  })
}

/** `export DOCUMENT [FILE]`: writes the filtered records in key order, from one snapshot. */
export function exportCommand(terminal: Terminal): Command {
  const command = new Command('export')
    .description(
      'write records as CSV, NDJSON or Parquet, also while the service runs; says of which change number they are',
    )
    .argument('<document>', 'such as attribute-values or a document of the setup')
    .argument('[file]', 'default: standard output')
    .addOption(setting('--company <id>', 'company to export; may be left out when there is one'))
    .option('--filter <filter>', 'which records, in the language of the object endpoints')
    .option('--select <properties>', 'which properties; lists and associations when named')
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
  return withOptions(command, placeSettings()).action(
    async (document: string, file: string | undefined, settings: ExportSettings) => {
      const credentials = namedService(command, terminal.env)
      if (credentials) {
        const { exportFrom } = await import('../actions/service/export.ts')
        return await exportFrom(credentials, document, file, settings, terminal)
      }
      const { runExport } = await import('../actions/records/export.ts')
      return await runExport(document, file, settings, terminal)
    },
  )
}

interface TypesFlags extends ServiceFlags {
  readonly company?: string
  readonly check?: string
}

/** `types`: what a running service holds, as types for `@tabularium/client`. */
export function typesCommand(terminal: Terminal): Command {
  const command = new Command('types')
    .description('print the types of what a client may read of a running service, for @tabularium/client')
    .option('--company <id>', "the company; default: that of the client's user")
    .option('--check <file>', 'print what has changed since the file was printed, and what of it breaks programs')
    .addHelpText(
      'after',
      `
With --check the exit code is 0 if nothing has changed, and 1 if anything has; each change is marked breaks or fine.

Examples:
  TABULARIUM_SECRET=... tabularium types --url https://erp.example.com --client shop > company.ts
  TABULARIUM_SECRET=... tabularium types --url https://erp.example.com --client shop --check company.ts`,
    )
  return withOptions(command, serviceSettings()).action(async ({ company, check, ...flags }: TypesFlags) => {
    const credentials = credentialsFrom(flags, terminal.env)
    const { checkTypes, printTypes } = await import('../actions/service/run-types.ts')
    if (check !== undefined) {
      terminal.exitCode = (await checkTypes(credentials, company, check, terminal.stdout)) ? 0 : 1
      return
    }
    await printTypes(credentials, company, terminal)
  })
}

/** `login`: keeps the credentials of a client for the other commands that ask a running service. */
export function loginCommand(terminal: Terminal): Command {
  const command = new Command('login')
    .description('check the secret of a client of a running service, and keep it for the user of this machine')
    .addHelpText(
      'after',
      `
The secret is taken from TABULARIUM_SECRET, or asked for on a terminal. It is kept in tabularium/logins.json of the
configuration folder (XDG_CONFIG_HOME, or ~/.config), which only the user may read. Other commands take the newest, or that of their --url and --client.

Examples:
  tabularium login --url https://erp.example.com --client shop
  tabularium login --url https://test.example.com --client shop
  tabularium query customers --url https://erp.example.com`,
    )
  return withOptions(command, serviceSettings()).action(
    lazily(terminal, async () => (await import('../actions/service/login.ts')).login),
  )
}
