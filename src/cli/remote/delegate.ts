// Before a command does its work: a running service does it instead, if there is one or --url names one.
import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Argument, Command, Option } from 'commander'
import type { CommandService } from '../../administration/client.ts'
import { databaseMark } from '../../administration/service-description.ts'
import { SOCKET_NAME } from '../../administration/socket-path.ts'
import { badUsage, requireFile } from '../terminal/bad-usage.ts'
import type { Progress } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { delegationOf, isEndedByInterrupt, isInput, isOutput, variablesOf } from './declarations.ts'
import type { GivenOptions } from './given-options.ts'
import { type InputFile, inputFileAt } from './input-file.ts'

const SECRET = 'TABULARIUM_LOGIN_SECRET'

/** The exit code of the command, if a service has done it. */
export async function delegate(command: Command, given: GivenOptions, terminal: Terminal): Promise<number | undefined> {
  const delegation = delegationOf(command)
  if (delegation === undefined) return undefined
  const service = await serviceFor(command, delegation === 'if-running', terminal)
  if (!service) return undefined
  const { sendCommand } = await import('../../administration/client.ts')
  const { isProgressShown, startProgress } = await import('../terminal/progress.ts')
  const files = new SentFiles()
  const operands = operandsOf(command, files)
  const options = given.texts(command, (option, text) => files.optionText(option, text))
  const environment = await variablesOf(command, [...files.inputs.values()], terminal)
  const bars = new Map<string, Progress>()
  // The service ends the command when the connection is closed.
  if (isEndedByInterrupt(command)) terminal.once('SIGINT', () => terminal.exit(0))
  try {
    return await sendCommand(service, {
      args: [...namesOf(command), ...options, '--', ...operands],
      environment,
      showsProgress: isProgressShown(terminal),
      ...files,
      stdout: terminal.stdout,
      stderr: terminal.stderr,
      onProgress: ({ what, total, done }) => {
        const bar = bars.get(what) ?? startProgress(terminal, what, total)
        bars.set(what, bar)
        if (done === undefined) bar.end()
        else bar.at(done)
      },
    })
  } finally {
    for (const bar of bars.values()) bar.end()
  }
}

interface ServiceOptions {
  readonly data?: string
  readonly database?: string
  readonly url?: URL
  readonly login?: string
}

async function serviceFor(
  command: Command,
  isUsedIfRunning: boolean,
  { env }: Terminal,
): Promise<CommandService | undefined> {
  const { data, database, url, login } = command.opts<ServiceOptions>()
  if (url !== undefined) {
    const secret = env[SECRET]
    if (login === undefined) throw badUsage("option '--url': --login names the client that is used there")
    if (secret === undefined) throw badUsage(`option '--login': its secret is not in the variable ${SECRET}`)
    const { serviceAtUrl } = await import('../../administration/client.ts')
    return serviceAtUrl(url, `${login}:${secret}`)
  }
  if (!isUsedIfRunning || data === undefined || !existsSync(join(data, SOCKET_NAME))) return undefined
  const { findService } = await import('../../administration/client.ts')
  const found = await findService(data)
  // The command may be about another database than that of the service on the folder.
  return found && found.database === databaseMark(database) ? found : undefined
}

/** `audit verify` as its two names. */
function namesOf(command: Command): string[] {
  const { parent } = command
  return parent?.parent ? [...namesOf(parent), command.name()] : [command.name()]
}

function operandsOf(command: Command, files: SentFiles): string[] {
  const declared = command.registeredArguments
  return command.args.map((text, at) => {
    const argument = declared[Math.min(at, declared.length - 1)]
    if (!argument) return text
    if (isInput(argument)) {
      const input = inputFileAt(text)
      requireFile(`argument '${argument.name()}'`, input.path)
      return files.addInput(input)
    }
    return isOutput(argument) ? files.addOutput(text) : text
  })
}

/** The files of a command, by the names that the service knows them by. */
class SentFiles {
  readonly inputs = new Map<string, string>()
  readonly outputs = new Map<string, string>()

  addInput({ path, rejects }: InputFile): string {
    const name = this.#freeName(path)
    this.inputs.set(name, path)
    this.outputs.set(`${name}.rejects.csv`, rejects)
    // An import that was interrupted goes on with the rows that it has rejected.
    if (existsSync(rejects)) this.inputs.set(`${name}.rejects.csv`, rejects)
    return name
  }

  addOutput(path: string): string {
    const name = this.#freeName(path)
    this.outputs.set(name, path)
    return name
  }

  optionText(option: Option | Argument, text: string): string {
    if (isOutput(option)) return this.addOutput(text)
    return isInput(option) && statSync(text, { throwIfNoEntry: false })?.isFile()
      ? this.addInput(inputFileAt(text))
      : text
  }

  #freeName(path: string): string {
    const name = basename(path)
    return this.inputs.has(name) || this.outputs.has(name) ? `${this.inputs.size + this.outputs.size}-${name}` : name
  }
}
