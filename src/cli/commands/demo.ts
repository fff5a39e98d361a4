import { Argument, Command, InvalidArgumentError } from 'commander'
import type { DemoSettings } from '../actions/demo.ts'
import { EXAMPLE, parseFaults } from '../settings/faults.ts'
import { serveSettings, setting } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const DATA = './data/demo'

/** `demo`: serves the demo company and prints example requests. */
export function demoCommand(terminal: Terminal): Command {
  const command = new Command('demo')
    .description('serve the demo company (what npm start does)')
    .addArgument(
      new Argument('[transactions]', 'of the ledger, to make when there are none')
        .default(100_000)
        .argParser(transactionCount),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  tabularium demo\n  tabularium demo 1000000\n  tabularium demo --port 9000 --data /tmp/demo\n  tabularium demo --faults 429=0.05,cut=0.01',
    )
  for (const option of [...serveSettings(), faults]) {
    command.addOption(option.name() === 'data' ? option.default(DATA) : option)
  }
  return command.action(async (transactions: number, settings: DemoSettings) => {
    const { runDemo } = await import('../actions/demo.ts')
    await runDemo(transactions, settings, terminal)
  })
}

const faults = setting(
  '--faults <list>',
  'behave as badly as a busy source, in one process: shares of requests that are refused (429, 503), slow ' +
    `(share:milliseconds) or cut off; a quota of each client; pages by offset that shift. Such as ${EXAMPLE}`,
).argParser(parseFaults)

const MAX_TRANSACTIONS = 10_000_000

function transactionCount(text: string): number {
  const count = Number(text)
  if (/^\d{1,8}$/.test(text) && count !== 1 && count <= MAX_TRANSACTIONS) return count
  throw new InvalidArgumentError(`It must be a number from 2 to ${MAX_TRANSACTIONS}, or 0 for none.`)
}
