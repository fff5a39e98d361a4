// The sentences that the service says to those who send requests, as its sources make them.
import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

export interface Sentence {
  /** Such as `src/patch/failure.ts`. */
  readonly file: string
  /** With `{}` for what is put in. */
  readonly text: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  // biome-ignore lint/suspicious/noExplicitAny: the members of a node are those of its type
  readonly [member: string]: any
}

const ROOT = new URL('../../', import.meta.url)

/** Which argument of what makes a refusal or a finding is its message. */
const MESSAGES: Readonly<Record<string, number>> = {
  CellError: 0,
  FileError: 0,
  InvalidSetup: 0,
  MalformedExpression: 0,
  NotDeliverable: 0,
  NotPossible: 0,
  add: 2,
  addAtKey: 0,
  addUnreadable: 1,
  coded: 2,
  conflict: 0,
  failure: 2,
  invalidOption: 0,
  malformed: 0,
  meaningError: 2,
  notAuthorised: 1,
  pause: 0,
  syntaxError: 2,
  tooMany: 0,
  unavailable: 0,
  unsupportedMediaType: 0,
}

/** A sentence of a file is told as one, with a capital letter and a full stop. */
const isToldAsSentence = (name: string): boolean => name === 'FileError'

export function serviceSentences(folders: readonly string[]): readonly Sentence[] {
  const files = globSync(
    folders.map((folder) => `src/${folder}/**/*.ts`),
    { cwd: ROOT },
  ).filter((file) => !/\.test\.ts$/.test(file))
  const sources = files.map((file) => new Source(file))
  const functions = new Map(sources.flatMap((source) => source.functions))
  return sources.flatMap((source) => source.sentences(functions))
}

/** Where an expression comes from: names stand for what its own file calls so. */
interface Placed {
  readonly source: Source
  readonly node: Node
}

class Source {
  readonly file: string
  readonly #text: string
  readonly #calls: Node[] = []
  readonly #values = new Map<string, Node>()
  readonly functions: [name: string, body: Placed][] = []

  constructor(file: string) {
    this.file = file
    this.#text = readFileSync(new URL(file, ROOT), 'utf8')
    this.#visit(parseAst(this.#text, { lang: 'ts' }, file) as unknown as Node)
  }

  sentences(functions: ReadonlyMap<string, Placed>): Sentence[] {
    return this.#calls.flatMap((call) => {
      const name = nameOf(call.callee)
      const message = call.arguments[this.#positionOf(name)] as Node | undefined
      const texts = message ? this.#textsOf(message, functions, 0) : []
      return texts.map((text) => ({ file: this.file, text: isToldAsSentence(name) ? asSentence(text) : text }))
    })
  }

  /** A part of a setup is given the message alone. */
  #positionOf(name: string): number {
    return name === 'add' && this.file.startsWith('src/setup/') ? 0 : (MESSAGES[name] ?? -1)
  }

  #visit(node: Node): void {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') this.#calls.push(node)
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      this.#values.set(node.id.name, node.init)
    if (node.type === 'FunctionDeclaration') this.functions.push([node.id.name, { source: this, node: node.body }])
    for (const inner of Object.values(node).flat()) if (isNode(inner)) this.#visit(inner)
  }

  /** What may stand in a message at this place: a value, or one of the endings that it has. */
  #put(node: Node | undefined, of: (node: Node) => string[]): string[] {
    if (!node) return ['']
    const isOpen = node.type === 'Identifier' || node.type === 'ConditionalExpression'
    const texts = isOpen ? of(node) : []
    return texts.length > 0 ? texts : ['{}']
  }

  /** What a message may be; nothing where it is not known from the sources. */
  #textsOf(node: Node, functions: ReadonlyMap<string, Placed>, depth: number): string[] {
    if (depth > 4) return []
    const of = (one: Node) => this.#textsOf(one, functions, depth + 1)
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? [node.value] : []
      case 'TemplateLiteral':
        return node.quasis.reduce(
          (begun: string[], { value }: Node, at: number) =>
            begun.flatMap((text) => this.#put(node.expressions[at - 1], of).map((one) => text + one + value.cooked)),
          [''],
        )
      case 'ConditionalExpression':
        return [...of(node.consequent), ...of(node.alternate)]
      case 'Identifier': {
        const value = this.#values.get(node.name)
        return value ? of(value) : []
      }
      case 'CallExpression': {
        const made = functions.get(nameOf(node.callee))
        return made ? returnsIn(made.node).flatMap((one) => made.source.#textsOf(one, functions, depth + 1)) : []
      }
      default:
        return []
    }
  }
}

function returnsIn(node: Node): Node[] {
  if (node.type === 'ReturnStatement') return node.argument ? [node.argument] : []
  if (/Function/.test(node.type)) return []
  return Object.values(node).flat().filter(isNode).flatMap(returnsIn)
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

const nameOf = ({ type, name, property }: Node): string =>
  type === 'MemberExpression' ? String(property.name).replace('#', '') : String(name ?? '')

const asSentence = (text: string): string =>
  text.slice(0, 1).toUpperCase() + text.slice(1) + (text.endsWith('?') ? '' : '.')
