// What the sources of the console say to people: the texts that they give to `t` and `sentence`, and those that they
// should have.
import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

export interface UsedText {
  /** Such as `console/src/shell/shell.tsx: Skip to the content`. */
  readonly place: string
  readonly english: string
  readonly context: string | undefined
  readonly isPlural: boolean
  /** The names of the values; undefined where more may be among them. */
  readonly values: readonly string[] | undefined
}

export interface ConsoleWords {
  readonly used: readonly UsedText[]
  /** Texts outside of `t`, keys that are no literals, and calls before the words are there. */
  readonly faults: readonly string[]
}

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

const ROOT = new URL('../../', import.meta.url)

/** What stands there is read by people. */
const READ_ATTRIBUTES = ['alt', 'aria-label', 'consequence', 'description', 'label', 'placeholder', 'title']
const READ_MEMBERS = ['description', 'hint', 'label', 'placeholder', 'title']

/** They have names of fonts and of languages, and what programmers alone see. */
const WITHOUT_WORDS = ['src/theme.ts', 'service/preferences.ts', 'src/main.tsx']

/** A sentence, or a word as they begin. */
const SENTENCE = /(?<!\p{L})\p{Lu}\p{Ll}+ \p{L}|^\p{Lu}\p{Ll}+[.:]?$/u
const LETTERS = /\p{L}{2}/u

export function consoleWords(allowed: readonly string[]): ConsoleWords {
  const found = { used: [] as UsedText[], faults: [] as string[] }
  for (const file of globSync('console/src/**/*.{ts,tsx}', { cwd: ROOT })) {
    if (file.endsWith('.test.ts') || WITHOUT_WORDS.some((name) => file.endsWith(name))) continue
    const program = parseAst(
      readFileSync(new URL(file, ROOT), 'utf8'),
      { lang: file.endsWith('x') ? 'tsx' : 'ts' },
      file,
    ) as unknown as Node
    new Reader(file, allowed, found).read(program, [])
  }
  return found
}

class Reader {
  readonly #file: string
  readonly #allowed: readonly string[]
  readonly #found: { readonly used: UsedText[]; readonly faults: string[] }

  constructor(file: string, allowed: readonly string[], found: { used: UsedText[]; faults: string[] }) {
    this.#file = file
    this.#allowed = allowed
    this.#found = found
  }

  read(node: Node, above: readonly Node[]): void {
    if (isCallOf(node, ['t', 'sentence'])) {
      this.#call(node, above)
      const [, ...values] = node.arguments as Node[]
      for (const value of values) this.read(value, [...above, node])
      return
    }
    if (node.type === 'TaggedTemplateExpression' || isCode(node)) return
    const text = textOf(node)
    if (text !== undefined && this.#isRead(node, text, above)) this.#fault('outside of t', text)
    for (const [name, inner] of Object.entries(node)) {
      if (name === 'source') continue
      for (const one of Array.isArray(inner) ? inner : [inner]) if (isNode(one)) this.read(one, [...above, node])
    }
  }

  #call(node: Node, above: readonly Node[]): void {
    const [key, given] = node.arguments as (Node | undefined)[]
    const english = key && textOf(key)
    if (english === undefined) {
      // `sentence` itself passes its text on.
      if (!this.#file.endsWith('words/sentence.tsx')) this.#fault('no literal', String(key?.type))
      return
    }
    if (!above.some(({ type }) => /Function/.test(type))) this.#fault('before the words are there', english)
    const members = given?.type === 'ObjectExpression' ? (given.properties as Node[]) : []
    const names = members.flatMap(({ key: name }) => (isNode(name) ? String(name.name ?? name.value) : []))
    const context = members.find(({ key: name }) => isNode(name) && name.name === 'context')?.value
    const isOpen = (given && given.type !== 'ObjectExpression') || members.some(({ type }) => type === 'SpreadElement')
    this.#found.used.push({
      place: `${this.#file}: ${english}`,
      english,
      context: isNode(context) ? textOf(context) : undefined,
      isPlural: names.includes('count'),
      values: isOpen ? undefined : names.filter((name) => name !== 'context'),
    })
  }

  #isRead(node: Node, text: string, above: readonly Node[]): boolean {
    const [parent, grandparent] = above.toReversed()
    if (!parent || this.#allowed.includes(text.trim())) return false
    if (node.type === 'JSXText') return LETTERS.test(text)
    if (/^(?:BinaryExpression|SwitchCase|TSLiteralType)$/.test(parent.type) || parent.key === node) return false
    const attribute = above.findLast(({ type }) => type === 'JSXAttribute')
    const isDirect = parent === attribute || grandparent === attribute
    if (attribute && isDirect) return READ_ATTRIBUTES.includes(nameOf(attribute)) && LETTERS.test(text)
    if (parent.type === 'Property' && READ_MEMBERS.includes(nameOf(parent.key))) return LETTERS.test(text)
    return SENTENCE.test(text)
  }

  #fault(what: string, text: string): void {
    this.#found.faults.push(`${this.#file}: ${what}: ${text.trim()}`)
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** An element whose text is that of a program. */
const isCode = ({ type, openingElement }: Node): boolean =>
  type === 'JSXElement' && isNode(openingElement) && ['code', 'Code'].includes(nameOf(openingElement.name))

const isCallOf = ({ type, callee }: Node, names: readonly string[]): boolean =>
  type === 'CallExpression' && names.includes(nameOf(callee))

/** The name of an identifier, of an attribute, or of a key. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  return isNode(node.name) ? nameOf(node.name) : String(node.name ?? node.value ?? '')
}

function textOf({ type, value }: Node): string | undefined {
  if (type === 'JSXText' || type === 'Literal') return typeof value === 'string' ? value : undefined
  if (type !== 'TemplateElement') return undefined
  return (value as { cooked?: string }).cooked
}
