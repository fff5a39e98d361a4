// Usage errors: one line that names the argument or option, and exit code 2.
import { accessSync, constants, statSync } from 'node:fs'
import { CommanderError } from 'commander'
import { didYouMean } from '../../base/text.ts'

export function badUsage(message: string): CommanderError {
  return new CommanderError(2, 'tabularium.usage', message)
}

/** `there is no document customer; did you mean 'customers'?`. `where` is the argument or option. */
export function unknownName(where: string, kind: string, given: string, known: readonly string[]): CommanderError {
  return badUsage(`${where}: there is no ${kind} ${given}${didYouMean(given, known)}`)
}

/** Returns the size of an input file in bytes. Throws when it cannot be read. */
export function requireFile(where: string, file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw badUsage(`${where}: there is no file ${file}`)
  if (!found.isFile()) throw badUsage(`${where}: ${file} is not a file`)
  try {
    accessSync(file, constants.R_OK)
  } catch {
    throw badUsage(`${where}: this user may not read ${file}`)
  }
  return found.size
}
