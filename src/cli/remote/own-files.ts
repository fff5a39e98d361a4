import type { Argument, Command, Option } from 'commander'
import { isPlainName } from '../../administration/plain-name.ts'
import { badUsage } from '../terminal/bad-usage.ts'
import { isInput, isOutput } from './declarations.ts'
import type { GivenOptions } from './given-options.ts'

/** Throws when a file of the command is not in the folder that it runs in. */
export function requireOwnFiles(command: Command, given: GivenOptions): void {
  command.args.forEach((text, at) => {
    const argument = command.registeredArguments[Math.min(at, command.registeredArguments.length - 1)]
    if (argument && isFile(argument)) requirePlainName(`argument '${argument.name()}'`, text)
  })
  given.texts(command, (option, text) => {
    if (isFile(option)) requirePlainName(`option '--${option.name()}'`, text)
    return text
  })
}

function isFile(declared: Argument | Option): boolean {
  return isInput(declared) || isOutput(declared)
}

function requirePlainName(where: string, text: string): void {
  if (!isPlainName(text)) throw badUsage(`${where}: a service reads and writes files that are sent to it alone`)
}
