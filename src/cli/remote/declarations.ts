// What a command declares, so that a running service can do its work: that it may, and which arguments and options are
// files of the one who enters it.
import { type Argument, type Command, InvalidArgumentError, type Option } from 'commander'
import { setting } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `if-running`: by the service that runs on the data folder, if there is one; `if-asked`: by that of --url alone. */
export type Delegation = 'if-running' | 'if-asked'

const delegations = new WeakMap<Command, Delegation>()
const endless = new WeakSet<Command>()
const inputs = new WeakSet<Argument | Option>()
const outputs = new WeakSet<Argument | Option>()
const environments = new WeakMap<Command, (files: readonly string[]) => Promise<readonly string[]>>()

/** Declares a command that a running service can do. It only reads files that are declared, by `requireFile`. */
export function delegable(command: Command, delegation: Delegation = 'if-running'): Command {
  delegations.set(command, delegation)
  return command
    .addOption(
      setting('--url <address>', 'a service elsewhere that does it, such as https://records.example.com').argParser(
        parseServiceUrl,
      ),
    )
    .addOption(
      setting(
        '--login <client>',
        "an administrator's client of that service; its secret is in TABULARIUM_LOGIN_SECRET",
      ),
    )
}

/** Declares a command that ends when it is interrupted, which is no failure. */
export function endsOnInterrupt(command: Command): Command {
  endless.add(command)
  return command
}

export function isEndedByInterrupt(command: Command): boolean {
  return endless.has(command)
}

export function delegationOf(command: Command): Delegation | undefined {
  return delegations.get(command)
}

/** Declares a file that the command reads. An option may also have other values than files that exist. */
export function inputFile<Declared extends Argument | Option>(declared: Declared): Declared {
  inputs.add(declared)
  return declared
}

/** Declares a file that the command writes. */
export function outputFile<Declared extends Argument | Option>(declared: Declared): Declared {
  outputs.add(declared)
  return declared
}

export function isInput(declared: Argument | Option): boolean {
  return inputs.has(declared)
}

export function isOutput(declared: Argument | Option): boolean {
  return outputs.has(declared)
}

/** Declares that the command reads variables of the environment, whose names its input files tell. */
export function readsVariables(
  command: Command,
  names: (files: readonly string[]) => Promise<readonly string[]>,
): void {
  environments.set(command, names)
}

export async function variablesOf(
  command: Command,
  files: readonly string[],
  { env }: Terminal,
): Promise<Record<string, string>> {
  const names = (await environments.get(command)?.(files)) ?? []
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

function parseServiceUrl(text: string): URL {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url
  throw new InvalidArgumentError('It must be an address like https://records.example.com, without a password.')
}
