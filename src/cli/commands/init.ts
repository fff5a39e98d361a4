import { Argument, Command } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'

/** `init`: the setup of a first company, by a few questions. */
export function initCommand(terminal: Terminal): Command {
  return new Command('init')
    .description('write the setup of a first company, by five questions')
    .addArgument(new Argument('[file]', 'setup file to write; it must not be there yet').default('company.yaml'))
    .addHelpText(
      'after',
      `
Without a terminal, standard input has a line for each answer: the name of the company, its language, the records
(cost-centres, customers, documents, suppliers), sqlite or a PostgreSQL address, and who signs in. An empty line is
the default, where there is one.

Examples:
  tabularium init
  tabularium init shop.yaml < answers.txt`,
    )
    .action(async (file: string) => {
      const { init } = await import('../actions/init.ts')
      await init(file, terminal)
    })
}
