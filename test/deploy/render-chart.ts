// Renders the templates of the chart. No Helm comes with npm, so this knows just the part of its language that they use
// and throws for anything else.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'

const CHART = 'deploy/chart'
const ACTION = /\{\{(-?)\s*(.*?)\s*(-?)\}\}/gs

type Values = Readonly<Record<string, unknown>>
type Scope = { readonly Values: Values; readonly Chart: Values; readonly Release: Values }

export const CHART_VALUES = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Values

export const SQLITE = {
  database: 'sqlite',
  replicas: 1,
  existingSecret: '',
  keysSecret: '',
  settings: { workers: 1 },
}
export const TWO_ROLES = { ownerSecret: 'tabularium-owner', serviceRole: 'service' }

/** The objects of the chart with these values, which replace the default ones member by member. */
export function renderChart(values: Values = {}): Values[] {
  const { name, appVersion } = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))
  const scope = {
    Values: { ...CHART_VALUES, ...values },
    Chart: { Name: name, AppVersion: appVersion },
    Release: { Name: 'records' },
  }
  const files = readdirSync(join(CHART, 'templates'))
  const sources = files.map((file) => readFileSync(join(CHART, 'templates', file), 'utf8'))
  const partials = new Map(sources.flatMap(definitionsIn))
  const objects = sources
    .filter((_text, at) => files[at]?.endsWith('.yaml'))
    .map((text) => render(text, scope, partials))
  return objects
    .flatMap((text) => parseAllDocuments(text))
    .flatMap((document) => {
      if (document.errors.length > 0) throw document.errors[0]
      return document.contents === null ? [] : [document.toJS() as Values]
    })
}

function definitionsIn(text: string): [string, string][] {
  const blocks = text.matchAll(/\{\{- define "([^"]+)" -\}\}\s*(.*?)\s*\{\{- end -\}\}/gs)
  return [...blocks].map(([, name = '', body = '']) => [name, body])
}

/** Text and actions in turn; blanks are trimmed as the dashes say. */
function render(template: string, scope: Scope, partials: ReadonlyMap<string, string>): string {
  let output = ''
  let end = 0
  let isTrimmed = false
  /** Whether the branches that are open are rendered. */
  const branches: boolean[] = []
  const add = (text: string) => {
    if (branches.every(Boolean)) output += text
  }
  for (const { 0: whole, 1: before, 2: action = '', 3: after, index } of template.matchAll(ACTION)) {
    let text = template.slice(end, index)
    if (isTrimmed) text = text.trimStart()
    add(before ? text.trimEnd() : text)
    if (action === 'end') branches.pop()
    else if (action.startsWith('if ')) branches.push(isTruthy(evaluate(action.slice(3), scope, partials)))
    else add(branches.every(Boolean) ? String(evaluate(action, scope, partials)) : '')
    end = index + whole.length
    isTrimmed = after === '-'
  }
  if (branches.length > 0) throw new Error('an if has no end')
  const rest = template.slice(end)
  return output + (isTrimmed ? rest.trimStart() : rest)
}

/** A pipeline: each part gets the result of the one before as its last argument. */
function evaluate(pipeline: string, scope: Scope, partials: ReadonlyMap<string, string>): unknown {
  let result: unknown
  const parts = wordsOf(pipeline, '|')
  for (const [at, part] of parts.entries()) {
    const [name = '', ...words] = wordsOf(part, ' ')
    const args = words.map((word) => valueIn(word, scope, partials))
    if (at > 0) args.push(result)
    result = words.length === 0 && at === 0 ? valueIn(name, scope, partials) : call(name, args, scope, partials)
  }
  return result
}

function valueIn(word: string, scope: Scope, partials: ReadonlyMap<string, string>): unknown {
  if (word.startsWith('(')) return evaluate(word.slice(1, -1), scope, partials)
  if (word.startsWith('"')) return JSON.parse(word)
  if (/^\d+$/.test(word)) return Number(word)
  if (word === '.') return scope
  if (!word.startsWith('.')) throw new Error(`unknown word ${word}`)
  let value: unknown = scope
  for (const name of word.slice(1).split('.')) value = (value as Values)[name]
  if (value === undefined) throw new Error(`${word} has no value`)
  return value
}

function call(name: string, args: readonly unknown[], scope: Scope, partials: ReadonlyMap<string, string>): unknown {
  const [first, second] = args
  switch (name) {
    case 'include':
      return render(partials.get(String(first)) ?? fail(`there is no ${first}`), scope, partials)
    case 'nindent':
      return `\n${String(second).replace(/^(?=.)/gm, ' '.repeat(Number(first)))}`
    case 'toYaml':
      return stringify(first).trimEnd()
    case 'toJson':
      return JSON.stringify(first)
    case 'sha256sum':
      return createHash('sha256').update(String(first)).digest('hex')
    case 'quote':
      return JSON.stringify(String(first))
    case 'printf':
      return args.slice(1).reduce<string>((text, value) => text.replace('%s', String(value)), String(first))
    case 'default':
      return isTruthy(second) ? second : first
    case 'index':
      return (first as Values)[String(second)]
    case 'int':
      return Number(first)
    case 'eq':
      return first === second
    case 'gt':
      return Number(first) > Number(second)
  }
  throw new Error(`the templates may not use ${name}`)
}

function fail(message: string): never {
  throw new Error(message)
}

function isTruthy(value: unknown): boolean {
  return value !== undefined && value !== '' && value !== false && value !== 0 && value !== null
}

/** Parts between separators that are not in quotes or parentheses. */
function wordsOf(text: string, separator: string): string[] {
  const pattern =
    separator === ' ' ? /\((?:[^()"]|"[^"]*")*\)|"[^"]*"|[^\s()"]+/g : /(?:\((?:[^()"]|"[^"]*")*\)|"[^"]*"|[^|])+/g
  return (text.match(pattern) ?? []).map((part) => part.trim()).filter((part) => part !== '')
}
