// The YAML text of a setup: its data, and where in the text each part of it stands.
import { type Document, isMap, isScalar, LineCounter, type Node, type Pair, parseAllDocuments, visit } from 'yaml'

/** Member names and list indexes from the top down. */
export type SetupPath = readonly (string | number)[]

export interface SetupProblem {
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
}

/** Setups of thousands of companies stay below; a larger file is a mistake or an attack. */
const MAX_CHARACTERS = 32 * 1024 * 1024
/** Deeper than any legal part; the parser and the checks recurse. */
const MAX_DEPTH = 50

export class YamlSource {
  readonly data: unknown
  readonly problems: SetupProblem[] = []
  readonly #document: Document | undefined
  readonly #lines = new LineCounter()

  constructor(text: string) {
    if (text.length > MAX_CHARACTERS) {
      this.problems.push({
        line: 1,
        column: 1,
        path: '',
        message: `the file is larger than ${MAX_CHARACTERS} characters`,
      })
      return
    }
    const depth = deepestNesting(text)
    if (depth > MAX_DEPTH) {
      this.problems.push({
        line: 1,
        column: 1,
        path: '',
        message: `the file is nested deeper than ${MAX_DEPTH} levels`,
      })
      return
    }
    const documents = parseAllDocuments(text, { lineCounter: this.#lines, uniqueKeys: true, prettyErrors: false })
    const [document, second] = Array.isArray(documents) ? documents : []
    if (!document) {
      this.problems.push({ line: 1, column: 1, path: '', message: 'the file is empty' })
      return
    }
    this.#document = document
    for (const error of document.errors) this.#addAt(error.pos[0], '', error.message)
    if (second) this.#addAt(second.range[0], '', 'a setup is one YAML document: nothing may follow it')
    if (this.problems.length === 0) this.#keepTextsOfKeys(document)
    if (this.problems.length === 0) this.data = this.#read(document)
  }

  /** Notes a problem where the value stands, or the nearest part above it that is there. */
  add(path: SetupPath, message: string): void {
    this.#addAt(this.#offsetOf(path), printPath(path), message)
  }

  /** Notes a problem where the name of a member stands. */
  addAtKey(path: SetupPath, message: string): void {
    const pair = this.#pairAt(path)
    const offset = (pair?.key as Node | undefined)?.range?.[0] ?? this.#offsetOf(path)
    this.#addAt(offset, printPath(path), message)
  }

  /** All problems in the order of the text. */
  sorted(): SetupProblem[] {
    return this.problems.toSorted((one, other) => one.line - other.line || one.column - other.column)
  }

  /** A key is a name or a code: `0100` is not 100. Two that YAML tells apart, such as `1` and `"1"`, are one then. */
  #keepTextsOfKeys(document: Document): void {
    visit(document, {
      Map: (_key, { items }) => {
        const seen = new Set<string>()
        for (const { key } of items) {
          if (!isScalar(key)) continue
          if (typeof key.value !== 'string') key.value = key.source ?? String(key.value)
          const text = String(key.value)
          if (seen.has(text)) this.#addAt(key.range?.[0] ?? 0, '', `the key '${text}' is there twice`)
          seen.add(text)
        }
      },
    })
  }

  #read(document: Document): unknown {
    try {
      // Aliases are counted: a few lines of them can mean billions of nodes.
      return document.toJS({ maxAliasCount: 100 })
    } catch (error) {
      this.#addAt(0, '', error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  #addAt(offset: number, path: string, message: string): void {
    const { line, col } = this.#lines.linePos(offset)
    this.problems.push({ line: Math.max(1, line), column: Math.max(1, col), path, message })
  }

  #offsetOf(path: SetupPath): number {
    for (let depth = path.length; depth > 0; depth--) {
      const pair = this.#pairAt(path.slice(0, depth))
      const node = this.#document?.getIn(path.slice(0, depth), true) as Node | undefined
      const offset = node?.range?.[0] ?? (pair?.key as Node | undefined)?.range?.[0]
      if (offset !== undefined) return offset
    }
    return this.#document?.contents?.range?.[0] ?? 0
  }

  #pairAt(path: SetupPath): Pair | undefined {
    const parent = path.length === 1 ? this.#document?.contents : this.#document?.getIn(path.slice(0, -1), true)
    if (!isMap(parent)) return undefined
    return parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(path.at(-1)))
  }
}

function printPath(path: SetupPath): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}

/** The deepest nesting that the text can mean, by brackets and by indentation, without parsing it. */
function deepestNesting(text: string): number {
  let [open, deepest] = [0, 0]
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++open)
    else if ((character === ']' || character === '}') && open > 0) open -= 1
    else if (character === '\n') open = Math.min(open, MAX_DEPTH)
  }
  const indented = text.match(/^(?: *- ){2,}| {100,}/gm)
  for (const line of indented ?? []) deepest = Math.max(deepest, line.length / 2)
  return deepest
}
