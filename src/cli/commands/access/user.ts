import { Argument, Command, Option } from 'commander'
import type { UserSettings } from '../../actions/access/add-user.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** `user add ID`: a person who signs in to the console, in a setup file. */
export function userCommand(terminal: Terminal): Command {
  const add = new Command('add')
    .description(
      'add a person to a setup file, or give one another password; the password is asked for, or read from standard input',
    )
    .addArgument(new Argument('<id>', 'the user who signs in'))
    .addOption(new Option('--setup <file>', 'the setup file that is changed').makeOptionMandatory())
    .addOption(new Option('--company <id>', 'the default company; needed for a new user'))
    .addOption(new Option('--role <id...>', 'roles in that company'))
    .addOption(new Option('--administrator', 'whether the user sees how the service is set up and used'))
    .addHelpText(
      'after',
      '\nThe file is changed, and nothing else: apply it with `tabularium setup FILE`.\n\nExamples:\n  tabularium user add anna.lie --setup company.yaml --company EN --role reader\n  tabularium user add anna.lie --setup company.yaml < password.txt',
    )
    .action(async (id: string, settings: UserSettings) => {
      const { addUser } = await import('../../actions/access/add-user.ts')
      await addUser(id, settings, terminal)
    })
  return new Command('user').description('people who sign in to the console').addCommand(add)
}
