// `--config FILE`: settings in YAML, each under the name of its flag. Flags and variables take precedence. A file may
// name the settings of all commands: each command uses its own, and every value is checked.

import type { EventEmitter } from 'node:events'
import { type Command, InvalidArgumentError, type Option } from 'commander'
import { readText } from '../../base/process/files.ts'
import { isObject } from '../../base/strict-json.ts'
import { didYouMean } from '../../base/text.ts'
import { badUsage, requireFile } from '../terminal/bad-usage.ts'
import { setting } from './settings.ts'

const MAX_BYTES = 1024 * 1024
const PLACE = "option '--config'"

export function configSetting(): Option {
  return setting('--config <file>', 'YAML file of settings under the names of their flags, which take precedence')
}

/** Whether a command has settings that a file may name. */
export function hasSettings(command: Command): boolean {
  return command.options.some(isSetting)
}

/** Applies the file that `--config` names to the command that is about to run. Throws for the first mistake. */
export async function applyConfigFile(program: Command, command: Command): Promise<void> {
  const { config: file } = command.opts<{ config?: string }>()
  if (file === undefined) return
  if (requireFile(PLACE, file) > MAX_BYTES) throw badUsage(`${PLACE}: ${file} is larger than ${MAX_BYTES} bytes`)
  const { YamlSource } = await import('../../setup/file/yaml-source.ts')
  const source = new YamlSource(readText(file))
  const known = knownSettings(program, command)
  for (const [name, value] of Object.entries(isObject(source.data) ? source.data : {})) {
    const option = known.get(name)
    if (option)
      tryTo(
        () => apply(command, option, value),
        (message) => source.add([name], message),
      )
    else source.addAtKey([name], `there is no such setting${didYouMean(name, [...known.keys()])}`)
  }
  if (source.problems.length === 0 && !isObject(source.data))
    source.add([], 'settings are expected, such as port: 8080')
  const [first] = source.sorted()
  if (!first) return
  const { line, column, path, message } = first
  throw badUsage(`${file}:${line}:${column} ${path ? `${path}: ` : ''}${message}`)
}

/** The settings of all commands by name; those of the command itself win. */
function knownSettings(program: Command, command: Command): Map<string, Option> {
  const all = program.commands.flatMap((one) => [one, ...one.commands])
  const options = [...all, command].flatMap((one) => one.options).filter(isSetting)
  return new Map(options.map((option) => [option.name(), option]))
}

function isSetting(option: Option): boolean {
  return option.envVar !== undefined && option.name() !== 'config'
}

function apply(command: Command, option: Option, value: unknown): void {
  const parsed = valueIn(option, value)
  const name = option.attributeName()
  const isUnset = [undefined, 'default'].includes(command.getOptionValueSource(name))
  if (!isUnset || !command.options.includes(option)) return
  command.setOptionValueWithSource(name, parsed, 'config')
  // Its types lack what it inherits.
  const events = command as unknown as EventEmitter
  for (const text of textsOf(option, value)) events.emit(`optionConfig:${option.name()}`, text)
}

/** As if the value was given on the command line. */
function valueIn(option: Option, value: unknown): unknown {
  if (option.isBoolean()) {
    if (typeof value === 'boolean') return value
    throw new InvalidArgumentError('It must be true or false.')
  }
  const texts = textsOf(option, value)
  const parse = option.parseArg ?? ((text: string) => text)
  return texts.reduce<unknown>((before, text) => parse(text, before), undefined)
}

function textsOf(option: Option, value: unknown): readonly string[] {
  if (option.isBoolean()) return value === true ? ['true'] : []
  return (option.variadic && Array.isArray(value) ? value : [value]).map(settingText)
}

function settingText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new InvalidArgumentError('It must be a text or a number.')
}

function tryTo(work: () => void, report: (message: string) => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    report(error.message)
  }
}
