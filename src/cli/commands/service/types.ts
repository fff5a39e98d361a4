import { Command, Option } from 'commander'
import { credentialsFrom, type ServiceFlags, serviceSettings } from '../../remote-service/credentials.ts'

interface TypesFlags extends ServiceFlags {
  readonly company?: string
}

/** `types`: what a running service holds, as types for `@tabularium/client`. */
export function typesCommand(): Command {
  const command = new Command('types')
    .description('print the types of what a client may read of a running service, for @tabularium/client')
    .addOption(new Option('--company <id>', "the company; default: that of the client's user"))
    .addHelpText(
      'after',
      '\nExample:\n  TABULARIUM_SECRET=... tabularium types --url https://erp.example.com --client shop > company.ts',
    )
  for (const option of serviceSettings()) command.addOption(option)
  return command.action(async ({ company, ...flags }: TypesFlags) => {
    const credentials = credentialsFrom(flags, process.env)
    const { printTypes } = await import('../../actions/types/run-types.ts')
    await printTypes(credentials, company)
  })
}
