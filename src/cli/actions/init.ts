// `init`: five questions, a setup file, and what to do next. Lines of standard input answer where there is no terminal.
import { existsSync, lstatSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { anyOf } from '../../base/text.ts'
import { readSetup } from '../../setup/check/read-setup.ts'
import { DATABASES, EMBEDDED_DATABASE, parseDatabaseUrl } from '../settings/settings.ts'
import { badUsage } from '../terminal/bad-usage.ts'
import { INTERRUPTED_EXIT_CODE, type Terminal } from '../terminal/terminal.ts'
import { shown } from '../terminal/terminal-text.ts'
import { FIRST_CLIENT, FIRST_RECORDS, type FirstSetup, firstSetup } from './first-setup.ts'
import { firstSecrets } from './secrets.ts'

/** `database`: its address, or nothing for the embedded one. */
type Answers = FirstSetup & { readonly database: string }

interface Question {
  readonly name: 'company' | 'language' | 'records' | 'database' | 'person'
  readonly text: string
  /** For an empty line. */
  readonly fallback?: string
}

const QUESTIONS: readonly Question[] = [
  { name: 'company', text: 'Name of the company' },
  { name: 'language', text: 'Language of its descriptions', fallback: 'EN' },
  { name: 'records', text: `Records, of ${FIRST_RECORDS.join(', ')}`, fallback: 'all' },
  { name: 'database', text: DATABASES, fallback: EMBEDDED_DATABASE },
  { name: 'person', text: 'Who signs in to the console, such as anna.lie' },
]

export async function init(file: string, terminal: Terminal): Promise<void> {
  requireNew(file)
  const { password, secret, passwordHash, secretHash } = await firstSecrets()
  const unasked = { company: 'A', language: 'EN', records: FIRST_RECORDS, person: 'a', database: '' }
  const answers = await ask({ ...unasked, passwordHash, secretHash }, terminal)
  writeFileSync(file, firstSetup(answers), { flag: 'wx', mode: 0o600 })
  terminal.stdout.write(nextSteps(file, answers, { password, secret }))
}

function requireNew(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }))
    throw badUsage(`argument 'file': ${file} is there, and stays as it is`)
  if (!existsSync(dirname(file))) throw badUsage(`argument 'file': there is no folder ${dirname(file)}`)
}

/** Each answer is checked when it is given. On a terminal, what is wrong is asked again. */
async function ask(unasked: Answers, terminal: Terminal): Promise<Answers> {
  const { stdin, stderr } = terminal
  const isTerminal = stdin.isTTY === true
  const reader = createInterface({ input: stdin, output: isTerminal ? stderr : undefined, historySize: 0 })
  reader.on('SIGINT', () => terminal.exit(INTERRUPTED_EXIT_CODE))
  const lines = reader[Symbol.asyncIterator]()
  const missing: string[] = []
  let answers = unasked
  try {
    for (let at = 0; at < QUESTIONS.length; ) {
      const question = QUESTIONS[at] as Question
      if (isTerminal) prompt(question, reader, terminal)
      const { value = '', done } = await lines.next()
      const answer = value.trim() || (done ? '' : question.fallback)
      try {
        if (answer) answers = { ...answers, ...taken(unasked, question, answer) }
        else if (done || !isTerminal) missing.push(question.name)
        else continue
        at += 1
      } catch (error) {
        const { message } = error as Error
        if (!isTerminal) throw badUsage(`answer '${question.name}': ${shown(message)}`)
        stderr.write(`${shown(message)}\n`)
      }
    }
  } finally {
    reader.close()
  }
  if (missing.length === 0) return answers
  const names = QUESTIONS.map(({ name }) => name)
  throw badUsage(`answers are missing: ${missing.join(', ')}; each of the five is a line (${names.join(', ')})`)
}

/** The reader shows it again when the line is edited, and refuses to show it first when its input has ended. */
function prompt({ text, fallback }: Question, reader: Interface, { stderr }: Terminal): void {
  reader.setPrompt(`${text}${fallback === undefined ? '' : ` [${fallback}]`}: `)
  stderr.write(reader.getPrompt())
}

/** The answer as part of the setup. Throws with what a setup file would say of it. */
function taken(unasked: Answers, { name }: Question, answer: string): Partial<Answers> {
  if (name === 'database') return { database: databaseIn(answer) }
  const part = { [name]: name === 'records' ? recordsIn(answer) : answer }
  const [problem] = readSetup(firstSetup({ ...unasked, ...part }), {}).problems ?? []
  if (problem) throw new Error(problem.message)
  return part
}

function recordsIn(answer: string): Answers['records'] {
  if (answer === 'all') return FIRST_RECORDS
  const names = answer.split(/[\s,]+/).filter((name) => name !== '')
  const unknown = names.find((name) => !FIRST_RECORDS.some((known) => known === name))
  if (unknown !== undefined) throw new Error(`there are no ${unknown}: it must be ${anyOf(['all', ...FIRST_RECORDS])}`)
  return FIRST_RECORDS.filter((known) => names.includes(known))
}

/** The printed commands have it, which everybody on the machine sees while they run. */
function databaseIn(answer: string): string {
  if (answer.toLowerCase() === EMBEDDED_DATABASE) return ''
  const url = parseDatabaseUrl(answer)
  if (URL.parse(url)?.password) throw new Error('The password does not belong there: PGPASSWORD or ~/.pgpass has it.')
  return url
}

function nextSteps(file: string, { person, database }: Answers, secrets: { password: string; secret: string }): string {
  const at = database === '' ? '' : ` --database ${shellWord(database)}`
  const url = 'http://127.0.0.1:8080'
  return `${file} is written. Next:

  tabularium setup ${shellWord(file)}${at}
  tabularium serve${at}
  tabularium login --url ${url} --client ${FIRST_CLIENT} # in a second terminal

The second one serves the console at ${url}, where ${shown(person)} signs in.
The third one asks for the secret of the client. Then 'tabularium smoke' and 'tabularium query companies' work.

  password of ${shown(person)}: ${secrets.password}
  secret of ${FIRST_CLIENT}: ${secrets.secret}

Both are shown this once: the file has their hashes.
`
}

/** As a shell takes it for one word. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
