// The command line program: registers the commands and reports their errors. The implementation of a command is loaded
// only when it runs, so that `--help` stays fast.
import type { EventEmitter } from 'node:events'
import { Command, CommanderError, type OutputConfiguration } from 'commander'
import { messageOf } from '../../base/thrown.ts'
import { Problem } from '../../errors/problem.ts'
import { withoutPasswords } from '../../observe/without-secrets.ts'
import { applyConfigFile, configSetting, hasSettings } from '../settings/config-file.ts'
import type { Output, Terminal } from '../terminal/terminal.ts'
import { accessCommand, hashSecretCommand, keysCommand, listCommands, tokenCommand, userCommand } from './access.ts'
import { auditCommand } from './audit.ts'
import { backupCommand, restoreCommand, verifyCommand } from './backup.ts'
import { changesCommand } from './changes.ts'
import { demoCommand } from './demo.ts'
import { eraseCommand } from './erase.ts'
import { exportCommand } from './export.ts'
import { healthCommand, smokeCommand } from './health.ts'
import { addHelp } from './help.ts'
import { importCommand } from './import.ts'
import { initCommand } from './init.ts'
import { loginCommand } from './login.ts'
import { adviseCommand, checkCommand, distributeCommand, filesCommand, migrateCommand } from './maintenance.ts'
import { mirrorCommand } from './mirror.ts'
import { purgeCommand } from './purge.ts'
import { queryCommand } from './query.ts'
import { getCommand, patchCommand } from './records.ts'
import { serveCommand } from './serve.ts'
import { setupCommand } from './setup.ts'
import { typesCommand } from './types.ts'

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
  program.hook('preAction', (_program, command) => applyConfigFile(program, command))
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
    return printError(error, argv.includes('--verbose'), terminal)
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

function printError(error: unknown, isVerbose: boolean, terminal: Terminal): number {
  // Work that failed, and after it closing what it used.
  if (error instanceof SuppressedError) return printError(error.suppressed, isVerbose, terminal)
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

/** The stack of an error and of its causes. */
function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? error.message
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${withCauses(error.cause)}`
}

/** A rejected value of --database in an error message. In a mistyped address, the password may be anywhere. */
const GIVEN_ADDRESS = /(--database <url>' (?:argument|value)) '.*?'(?= (?:from env|is invalid))/s
