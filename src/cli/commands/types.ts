import { Command, Option } from 'commander'
import { credentialsFrom, type ServiceFlags, serviceSettings } from '../settings/credentials.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface TypesFlags extends ServiceFlags {
  readonly company?: string
  readonly check?: string
}

/** `types`: what a running service holds, as types for `@tabularium/client`. */
export function typesCommand(terminal: Terminal): Command {
  const command = new Command('types')
    .description('print the types of what a client may read of a running service, for @tabularium/client')
    .addOption(new Option('--company <id>', "the company; default: that of the client's user"))
    .option('--check <file>', 'print what has changed since the file was printed, and what of it breaks programs')
    .addHelpText(
      'after',
      `
With --check the exit code is 0 if nothing has changed, and 1 if anything has; each change is marked breaks or fine.

Examples:
  TABULARIUM_SECRET=... tabularium types --url https://erp.example.com --client shop > company.ts
  TABULARIUM_SECRET=... tabularium types --url https://erp.example.com --client shop --check company.ts`,
    )
  for (const option of serviceSettings()) command.addOption(option)
  return command.action(async ({ company, check, ...flags }: TypesFlags) => {
    const credentials = credentialsFrom(flags, terminal.env)
    const { checkTypes, printTypes } = await import('../actions/service/run-types.ts')
    if (check !== undefined) {
      terminal.exitCode = (await checkTypes(credentials, company, check, terminal.stdout)) ? 0 : 1
      return
    }
    await printTypes(credentials, company, terminal)
  })
}
