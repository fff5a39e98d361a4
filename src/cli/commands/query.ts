import { Command, InvalidArgumentError, Option } from 'commander'
import type { QueryFlags } from '../actions/service/query.ts'
import { credentialsFrom, type ServiceFlags, serviceSettings } from '../settings/credentials.ts'
import type { Terminal } from '../terminal/terminal.ts'

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
    .addOption(new Option('--limit <number>', 'at most so many; absent: all, of a table 100').argParser(parseLimit))
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
  for (const option of serviceSettings()) command.addOption(option)
  return command.action(async (document: string, flags: ServiceFlags & QueryFlags) => {
    const credentials = credentialsFrom(flags, terminal.env)
    const { printQuery } = await import('../actions/service/query.ts')
    await printQuery(credentials, document, flags, { output: terminal.stdout, error: terminal.stderr })
  })
}

export function companyOption(): Option {
  return new Option('--company <id>', "the company; default: that of the client's user")
}

function parseLimit(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw new InvalidArgumentError('It must be a whole number above 0.')
}
