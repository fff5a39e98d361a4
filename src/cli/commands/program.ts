// The command line program: registers the commands and reports their errors. The implementation of a command is loaded
// only when it runs, so that `--help` stays fast.
import type { EventEmitter } from 'node:events'
import { Command, CommanderError, Help, type OutputConfiguration } from 'commander'
import { messageOf } from '../../base/thrown.ts'
import { Problem } from '../../errors/problem.ts'
import { withoutPasswords } from '../../observe/without-secrets.ts'
import { applyConfigFile, configSetting, hasSettings } from '../settings/config-file.ts'
import { grouped } from '../settings/settings.ts'
import { unknownName } from '../terminal/bad-usage.ts'
import type { Output, Terminal } from '../terminal/terminal.ts'
import {
  accessCommand,
  hashSecretCommand,
  keysCommand,
  listCommands,
  setupCommand,
  tokenCommand,
  userCommand,
} from './administration.ts'
import { importCommand } from './import.ts'
import { eraseCommand, purgeCommand } from './life-cycle.ts'
import {
  adviseCommand,
  auditCommand,
  backupCommand,
  checkCommand,
  distributeCommand,
  filesCommand,
  migrateCommand,
  restoreCommand,
  verifyCommand,
} from './maintenance.ts'
import {
  changesCommand,
  exportCommand,
  getCommand,
  loginCommand,
  patchCommand,
  queryCommand,
  typesCommand,
} from './records.ts'
import { demoCommand, healthCommand, initCommand, mirrorCommand, serveCommand, smokeCommand } from './start.ts'

const VERSION = 'tabularium.version'

/** Runs one command and returns the exit code. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('tabularium')
    .description(
      'An enterprise records service: master data, relations, customers and documents behind one JSON REST interface.',
    )
    .enablePositionalOptions(false)
  const groups = {
    'Start:': [
      demoCommand(terminal),
      initCommand(terminal),
      serveCommand(terminal),
      mirrorCommand(terminal),
      healthCommand(terminal),
      smokeCommand(terminal),
    ],
    'Records:': [
      loginCommand(terminal),
      queryCommand(terminal),
      getCommand(terminal),
      patchCommand(terminal),
      importCommand(terminal),
      exportCommand(terminal),
      changesCommand(terminal),
      typesCommand(terminal),
    ],
    'Administration:': [
      setupCommand(terminal),
      ...listCommands(terminal),
      accessCommand(terminal),
      userCommand(terminal),
      tokenCommand(terminal),
      keysCommand(terminal),
      hashSecretCommand(terminal),
    ],
    'Maintenance:': [
      backupCommand(terminal),
      restoreCommand(terminal),
      verifyCommand(terminal),
      checkCommand(terminal),
      filesCommand(terminal),
      purgeCommand(terminal),
      eraseCommand(terminal),
      auditCommand(terminal),
      adviseCommand(terminal),
      migrateCommand(terminal),
      distributeCommand(terminal),
    ],
  }
  for (const command of Object.values(groups).flat()) program.addCommand(command)
  addHelp(program, groups)
  const all = program.commands.flatMap((command) => [command, ...command.commands])
  for (const command of all.filter(hasSettings)) command.addOption(configSetting())
  let data: unknown
  program.hook('preAction', async (_program, command) => {
    await applyConfigFile(program, command)
    data = command.opts().data
  })
  for (const command of [program, ...all]) {
    command
      .option('--verbose', 'show the stack of a failure, and what has caused it')
      .option('--version', 'print the versions of the program and of what it runs on')
      .on('option:version', () => {
        throw new CommanderError(0, VERSION, '')
      })
    command.exitOverride().configureOutput(outputOn(terminal))
    readVariables(command, terminal.env)
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
    return Number(terminal.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError && error.code === VERSION) {
      const { printVersion } = await import('../terminal/version-text.ts')
      return printVersion(terminal)
    }
    return printError(await explained(error, data), argv.includes('--verbose'), terminal)
  }
}

/** Help is as wide as the terminal. Errors are printed as one line, by `printError`. */
function outputOn({ stdout, stderr }: Terminal): OutputConfiguration {
  const widthOf = ({ isTTY, columns }: Output) => (isTTY ? columns : undefined) as number
  return {
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout),
    getErrHelpWidth: () => widthOf(stderr),
    outputError: () => {},
  }
}

/** The library itself has no other variables than those of its process. */
function readVariables(command: Command, env: NodeJS.ProcessEnv): void {
  // Its types lack what it inherits, and the step that is replaced.
  const steps = command as unknown as EventEmitter & { _parseOptionsEnv: () => void }
  steps._parseOptionsEnv = () => {
    for (const option of command.options) {
      const text = option.envVar === undefined ? undefined : env[option.envVar]
      const isUnset = [undefined, 'default'].includes(command.getOptionValueSource(option.attributeName()))
      if (text !== undefined && isUnset) steps.emit(`optionEnv:${option.name()}`, ...(option.isBoolean() ? [] : [text]))
    }
  }
}

/** What there is to tell of an error; `data`: the data folder of the command, where it has one. */
async function explained(error: unknown, data: unknown): Promise<unknown> {
  // Work that failed, and after it closing what it used.
  if (error instanceof SuppressedError) return explained(error.suppressed, data)
  if (error instanceof CommanderError || typeof data !== 'string') return error
  const { explainDamage } = await import('../../databases/open/explain-damage.ts')
  return explainDamage(error, data)
}

function printError(error: unknown, isVerbose: boolean, terminal: Terminal): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    const message =
      error.code === 'commander.help'
        ? ''
        : `${error.message.replace(/^error: /, '').replaceAll('\n', ' ')} (see --help)`
    if (message) terminal.stderr.write(`tabularium: ${message.replace(GIVEN_ADDRESS, '$1')}\n`)
    return 2
  }
  const text = isVerbose ? withCauses(error) : reasonOf(error)
  terminal.stderr.write(`tabularium: ${withoutPasswords(text)}\n`)
  return 1
}

/** Who runs the program may know what is scarce on its machine. */
function reasonOf(error: unknown): string {
  const isScarce = error instanceof Problem && error.status === 503 && error.reason !== undefined
  return isScarce ? `${error.message} (${error.reason})` : messageOf(error)
}

function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? error.message
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${withCauses(error.cause)}`
}

/** A rejected value of --database in an error message. In a mistyped address, the password may be anywhere. */
const GIVEN_ADDRESS = /(--database <url>' (?:argument|value)) '.*?'(?= (?:from env|is invalid))/s

/** What most people need, in the order in which they need it. */
const FIRST = ['demo', 'init', 'setup', 'serve', 'smoke', 'query', 'import', 'backup']

const FURTHER = `
tabularium help all      lists every command
tabularium help COMMAND  shows the options and examples of one, as --help of it`

const BY_NAME = { subcommandTerm: (command: Command) => command.name() }

/** The first help is one screen; `help all` lists the commands under the headings of their groups. */
function addHelp(program: Command, groups: Readonly<Record<string, readonly Command[]>>): void {
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
