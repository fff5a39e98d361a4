// Each command that guides, help, messages and the production kit print is one that the program takes, and none shows a
// password to all who list the processes of its machine.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { run, temporaryFolder } from '../support/process.ts'

const PAGES = globSync(['*.md', 'docs/*.md', 'guides/**/*.md', 'examples/**/*.md', 'packages/*/*.md', 'deploy/**/*.md'])
const KIT = globSync(['deploy/**/*'], { withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
  .map((entry) => join(entry.parentPath, entry.name))
const SOURCES = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))

/** The program by the names under which it is started, and what follows it on its line. */
const CALL =
  /(?:(?<![\w./-])tabularium|npm run -s tabularium --|(?:node|npx) [\w./-]*tabularium(?:\.js)?) ([a-z-][^\n`]*)/g
const CODE = /^ *```(?:bash|sh)\n([\s\S]*?)^ *```|`([^`\n]+)`/gm
const TEXTS = /(?<=[`'"])(?:\\.|[^`'"\\])*\btabularium [a-z](?:\\.|[^`'"\\])*(?=[`'"])/g
/** What a shell ends a command with. */
const WORD = /\s*(?:([|<>&;)#]|\d>)|((?:"(?:\\.|[^"])*"|'[^']*'|[^\s"'|<>&;()]|\([^)]*\))+))/gy
/** A name that stands for a file of the reader. */
const FILE = /(?<=^|=)(?:[\w.~/-]+\.(?:yaml|csv|ndjson|json|txt|key|ts)|FILE)$/

/** What a text that only names a command may leave out. */
const UNNAMED = /missing required argument|required option .* not specified|argument missing/

interface Printed {
  readonly place: string
  readonly command: string
  /** Whether it stands in a sentence. */
  readonly isNamed: boolean
}

const folder = temporaryFolder()
const file = join(folder.path, 'file')
/** Before the commands do nothing any more: it is one of them. */
const allHelp = await run(['help', 'all'])

beforeAll(() => {
  writeFileSync(file, '')
  const action = Command.prototype.action
  vi.spyOn(Command.prototype, 'hook').mockImplementation(function (this: Command) {
    return this
  })
  vi.spyOn(Command.prototype, 'action').mockImplementation(function (this: Command) {
    return action.call(this, () => {})
  })
})
afterAll(() => {
  vi.restoreAllMocks()
  folder.remove()
})

const callsIn = (place: string, text: string, isNamed = false): Printed[] =>
  [...text.replaceAll(/\\\n\s*/g, ' ').matchAll(CALL)].map(([, command = '']) => ({ place, command, isNamed }))

function onPages(): Printed[] {
  return PAGES.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(CODE)].flatMap(([, block, inline]) =>
      callsIn(page, block ?? inline ?? '', block === undefined),
    ),
  )
}

/** The texts of the program that name it, as they stand in a source. */
function inMessages(): Printed[] {
  return SOURCES.flatMap((source) =>
    [...readFileSync(source, 'utf8').matchAll(TEXTS)].flatMap(([text]) =>
      callsIn(source, text.replaceAll('\\n', '\n')),
    ),
  )
}

/** The examples of the help of a command, and of those below it. */
async function inHelp(path: readonly string[] = []): Promise<Printed[]> {
  const { stdout } = path.length === 0 ? allHelp : await run([...path, '--help'])
  // Commands stand under several headings, and flags and examples are no names.
  const names = [...stdout.matchAll(/^ {2}(?!tabularium|help\b)([a-z][a-z-]+)(?= )/gm)].map(([, name = '']) => name)
  const [, examples = ''] = /^Examples?:\n([\s\S]*)/m.exec(stdout) ?? []
  const inside = path.length < 2 ? await Promise.all(names.map((name) => inHelp([...path, name]))) : []
  return [...callsIn(`${path.join(' ')} --help`, examples), ...inside.flat()]
}

const inKit = () => KIT.flatMap((name) => callsIn(name, readFileSync(name, 'utf8')))

function wordsOf(command: string): string[] {
  const words: string[] = []
  for (const [, end, word = ''] of command.matchAll(WORD)) {
    if (end !== undefined) break
    words.push(word.replaceAll(/"((?:\\.|[^"])*)"|'([^']*)'/g, '$1$2').replace(FILE, file))
  }
  return words
}

it.each([
  ['the guides and other pages', onPages],
  ['help', inHelp],
  ['the production kit', inKit],
])('takes each command that %s print', async (_where, found) => {
  const commands = await found()
  expect(commands.length).toBeGreaterThan(2)
  const refused = []
  for (const { place, command, isNamed } of commands) {
    const { stderr } = await run(wordsOf(command))
    if (stderr !== '' && !(isNamed && UNNAMED.test(stderr))) refused.push({ place, command, stderr })
  }
  expect(refused).toEqual([])
})

it('has a command for each that a message names', async () => {
  const names = new Set(
    inMessages().map(({ command }) => (/^(?:keys|user|audit|files|erase) [a-z]+|^[a-z-]+/.exec(command) ?? [''])[0]),
  )
  expect(names).toContain('keys rotate')
  for (const name of names) {
    const { code, stderr } = await run([...name.split(' '), '--help'])
    expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' })
  }
})

it('prints no password in a command', async () => {
  const commands = [...onPages(), ...(await inHelp()), ...inKit(), ...inMessages()].map(({ command }) => command)
  const blocks = PAGES.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(CODE)].map(([text]) => text))
  const lines = [...commands, ...blocks.flatMap((block) => block.split('\n'))]
  expect(lines.filter((line) => /\bpostgres(?:ql)?:\/\/[^\s/:@]*:[^\s/@]+@/.test(line))).toEqual([])
})
