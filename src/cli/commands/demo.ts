import { Command, InvalidArgumentError } from 'commander'
import type { DemoSettings } from '../actions/demo.ts'
import { serveSettings, setting } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const DATA = './data/demo'

/** `demo`: serves the demo company and prints example requests. */
export function demoCommand(terminal: Terminal): Command {
  const command = new Command('demo')
    .description('serve the demo company (what npm start does)')
    .addHelpText('after', '\nExamples:\n  tabularium demo\n  tabularium demo --port 9000 --data /tmp/demo')
  for (const option of [...serveSettings(), transactions]) {
    command.addOption(option.name() === 'data' ? option.default(DATA) : option)
  }
  return command.action(async (settings: DemoSettings) => {
    const { runDemo } = await import('../actions/demo.ts')
    await runDemo(settings, terminal)
  })
}

const transactions = setting('--transactions <number>', 'ledger transactions to make when there are none')
  .default(100_000)
  .argParser(transactionCount)

const MAX_TRANSACTIONS = 10_000_000

function transactionCount(text: string): number {
  const count = Number(text)
  if (/^\d{1,8}$/.test(text) && count !== 1 && count <= MAX_TRANSACTIONS) return count
  throw new InvalidArgumentError(`It must be a number from 2 to ${MAX_TRANSACTIONS}, or 0 for none.`)
}
