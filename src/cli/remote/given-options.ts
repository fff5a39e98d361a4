// The options of a command as they were entered, or given by variables or a file of settings, to be passed on to a
// service.
import type { Command, Option } from 'commander'

interface Given {
  readonly option: Option
  readonly text: string | undefined
}

/** Options of the place where the work is done, not of the work. */
const OF_THE_PLACE = new Set([
  'data',
  'database',
  'files',
  'keys',
  'attach',
  'webhook-networks',
  'query-timeout',
  'cache',
  'checkpoint',
  'config',
  'url',
  'login',
])

export function isOfThePlace(option: Option): boolean {
  return OF_THE_PLACE.has(option.name())
}

export class GivenOptions {
  readonly #given = new Map<Command, Given[]>()

  /** Must be called before the command line is parsed. */
  watch(command: Command, onGiven: (option: Option) => void = () => {}): void {
    const given: Given[] = []
    this.#given.set(command, given)
    for (const option of command.options) {
      const add = (text: string | undefined) => {
        given.push({ option, text })
      }
      command.on(`option:${option.name()}`, (text: string | undefined) => {
        onGiven(option)
        add(text)
      })
      for (const source of ['optionEnv', 'optionConfig']) command.on(`${source}:${option.name()}`, add)
    }
  }

  /** The options of the work, each as one argument. */
  texts(command: Command, textOf: (option: Option, text: string) => string): string[] {
    const commands = [command, command.parent, command.parent?.parent].filter((one) => one !== null)
    const given = commands.flatMap((one) => (one && this.#given.get(one)) ?? [])
    return given
      .filter(({ option }) => !isOfThePlace(option))
      .map(({ option, text }) =>
        option.isBoolean() || text === undefined || text === null
          ? `--${option.name()}`
          : `--${option.name()}=${textOf(option, text)}`,
      )
  }
}
