import { Command, Help } from 'commander'
import { grouped } from '../settings/settings.ts'
import { unknownName } from '../terminal/bad-usage.ts'

/** What most people need, in the order in which they need it. */
const FIRST = ['demo', 'init', 'setup', 'serve', 'smoke', 'query', 'import', 'backup']

const FURTHER = `
tabularium help all      lists every command
tabularium help COMMAND  shows the options and examples of one, as --help of it`

const BY_NAME = { subcommandTerm: (command: Command) => command.name() }

/** The first help is one screen; `help all` lists the commands under the headings of their groups. */
export function addHelp(program: Command, groups: Readonly<Record<string, readonly Command[]>>): void {
  const named = (name: string) => program.commands.find((command) => command.name() === name)
  const visibleCommands = () => FIRST.flatMap((name) => named(name) ?? [])
  program.addHelpText('after', FURTHER).configureHelp({
    ...BY_NAME,
    // For what is printed alone: a mistyped name may be that of any command.
    formatHelp: (command, help) => new Help().formatHelp(command, Object.assign(help, { visibleCommands })),
  })
  const help = new Command('help').argument('[command]', 'name of a command, or all').action((name?: string) => {
    if (name === undefined) program.help()
    if (name === 'all') {
      for (const [heading, commands] of Object.entries(groups)) grouped(heading, commands)
      program.configureHelp(BY_NAME).help()
    }
    const known = program.commands.map((command) => command.name())
    const command = named(name)
    if (!command) throw unknownName("argument 'command'", 'command', name, known)
    command.help()
  })
  program.addCommand(help, { hidden: true })
}
