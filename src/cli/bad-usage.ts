// A command line that cannot be meant so: told in one line that names the argument or the option, exit code 2.
import { accessSync, constants, statSync } from 'node:fs'
import { CommanderError } from 'commander'
import { nearestName } from '../base/text.ts'

export function badUsage(message: string): CommanderError {
  return new CommanderError(2, 'tabularium.usage', message)
}

/** `there is no document customer; did you mean 'customers'?`. `where`: the argument or option that names it. */
export function unknownName(where: string, kind: string, given: string, known: readonly string[]): CommanderError {
  const nearest = nearestName(given, known)
  return badUsage(
    `${where}: there is no ${kind} ${given}${nearest === undefined ? '' : `; did you mean '${nearest}'?`}`,
  )
}

/** Gives the size of a file that is to be read, in bytes. */
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
