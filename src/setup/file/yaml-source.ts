// The YAML text of a setup: its data, and the position of each part in the text.

import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  type Scalar,
  visit,
} from 'yaml'
import { roundTrips } from '../../base/long-number.ts'
import { isStorable, shortened } from '../../base/text.ts'
import { messageOf } from '../../base/thrown.ts'

/** Member names and list indexes from the root down. */
export type SetupPath = readonly (string | number)[]

export interface SetupProblem {
  /** Starts at 1, as does `column`. */
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
}

/** Setups of thousands of companies are smaller; a larger file is a mistake or an attack. */
const MAX_CHARACTERS = 32 * 1024 * 1024
/** No valid part is nested this deep. The limit protects the parser and the checks, which recurse. */
const MAX_DEPTH = 50

/** A plain decimal number; YAML has other notations too. */
const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i

export class YamlSource {
  /** Undefined when the text is not valid YAML. */
  data: unknown
  readonly problems: SetupProblem[] = []
  /** Paths of the problems. */
  readonly #problemPaths: SetupPath[] = []
  /** Parts of which no more problems are reported. */
  readonly #ignored: SetupPath[] = []
  readonly #document: Document | undefined
  readonly #lines = new LineCounter()

  constructor(text: string) {
    if (text.length > MAX_CHARACTERS) {
      this.#addToWhole(`the file is larger than ${MAX_CHARACTERS} characters`)
      return
    }
    const depth = deepestNesting(text)
    if (depth > MAX_DEPTH) {
      this.#addToWhole(`the file is nested deeper than ${MAX_DEPTH} levels`)
      return
    }
    const documents = parseAllDocuments(text, { lineCounter: this.#lines, uniqueKeys: false, prettyErrors: false })
    const [document, second] = Array.isArray(documents) ? documents : []
    if (!document) {
      this.#addToWhole('the file is empty')
      return
    }
    this.#document = document
    for (const error of document.errors) this.#addAt(error.pos[0], '', error.message)
    if (second) this.#addAt(second.range[0], '', 'the file is one YAML document: nothing may follow it')
    if (this.problems.length > 0) return
    this.#convertKeysToText(document)
    this.#rejectLostDigits(document)
    this.data = this.#read(document)
    this.#rejectUnstorable(document)
  }

  #addToWhole(message: string): void {
    this.problems.push({ line: 1, column: 1, path: '', message })
  }

  /** Adds a problem at the position of the value, or of its nearest existing parent. */
  add(path: SetupPath, message: string): void {
    if (this.isIgnored(path)) return
    this.#problemPaths.push(path)
    this.#addAt(this.#offsetOf(path), printPath(path), message)
  }

  /** Whether no problem of the part has been found so far. */
  isValid(path: SetupPath): boolean {
    return ![...this.#problemPaths, ...this.#ignored].some((problemPath) => isWithin(problemPath, path))
  }

  /** Suppresses further problems of the part: they would follow from one that is already reported. */
  ignore(path: SetupPath): void {
    this.#ignored.push(path)
  }

  isIgnored(path: SetupPath): boolean {
    return this.#ignored.some((ignored) => isWithin(path, ignored))
  }

  /** The part at a path, for those who check it. */
  at(...path: SetupPath): SetupPart {
    return new SetupPart(this, path)
  }

  /** Renames a member of the data, or removes it where no name is given. */
  rename(path: SetupPath, name: string | undefined): void {
    const parent = path.length === 1 ? this.#document?.contents : this.#document?.getIn(path.slice(0, -1), true)
    const pair = this.#pairAt(path)
    if (!this.#document || !pair || !isMap(parent)) return
    if (name === undefined) parent.items.splice(parent.items.indexOf(pair), 1)
    else (pair.key as Scalar).value = name
    this.data = this.#read(this.#document)
  }

  /** Adds a problem at the position of a member's name. */
  addAtKey(path: SetupPath, message: string): void {
    if (this.isIgnored(path)) return
    this.#problemPaths.push(path)
    const pair = this.#pairAt(path)
    const offset = (pair?.key as Node | undefined)?.range?.[0] ?? this.#offsetOf(path)
    this.#addAt(offset, printPath(path), message)
  }

  /** All problems in the order of the text. */
  sorted(): SetupProblem[] {
    return this.problems.toSorted((one, other) => one.line - other.line || one.column - other.column)
  }

  /** Keys are names or codes: `0100` is not 100, and `1` and `"1"`, which differ in YAML, are duplicates. */
  #convertKeysToText(document: Document): void {
    visit(document, {
      Map: (_key, { items }) => {
        const seen = new Map<string, number>()
        for (const { key } of items) {
          if (!isScalar(key)) continue
          if (typeof key.value !== 'string') key.value = key.source ?? String(key.value)
          const text = String(key.value)
          const offset = key.range?.[0] ?? 0
          const first = seen.get(text)
          if (first === undefined) seen.set(text, offset)
          else
            this.#addAt(
              offset,
              '',
              `the key '${text}' is there twice, first in line ${this.#lines.linePos(first).line}`,
            )
        }
      },
    })
  }

  #rejectLostDigits(document: Document): void {
    visit(document, {
      Scalar: (_key, { value, source = '', range }) => {
        if (typeof value !== 'number' || !DECIMAL.test(source) || roundTrips(source, value)) return
        this.#addAt(
          range?.[0] ?? 0,
          '',
          `the number ${shortened(source)} would become ${value}: write a code in quotes`,
        )
      },
    })
  }

  /** No database keeps these, in whatever part. */
  #rejectUnstorable(document: Document): void {
    visit(document, {
      Scalar: (key, { value }, ancestors) => {
        if (typeof value !== 'string' || isStorable(value)) return
        const message = 'no text holds U+0000 or half a character'
        if (key === 'key') this.addAtKey(pathTo(ancestors), message)
        else this.add(pathTo(ancestors, key), message)
      },
    })
  }

  #read(document: Document): unknown {
    try {
      // The number of aliases is limited: a few lines of nested aliases expand to billions of nodes.
      return document.toJS({ maxAliasCount: 100 })
    } catch (error) {
      this.#addAt(0, '', messageOf(error))
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

/** `key`: the index of an item of the last of these. */
function pathTo(ancestors: readonly (Document | Node | Pair)[], key?: number | string | null): SetupPath {
  return ancestors.flatMap((node, at): SetupPath => {
    if (isPair(node)) return [String((node.key as Scalar).value)]
    if (!isSeq(node)) return []
    return [at === ancestors.length - 1 ? Number(key) : node.items.indexOf(ancestors[at + 1])]
  })
}

function isWithin(path: SetupPath, parent: SetupPath): boolean {
  return parent.length <= path.length && parent.every((part, at) => String(part) === String(path[at]))
}

function printPath(path: SetupPath): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}

/** An upper bound of the nesting, from brackets and indentation, without parsing the text. */
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

/** A part of a setup, where what is wrong with it is noted. */
export class SetupPart {
  readonly source: YamlSource
  readonly path: SetupPath

  constructor(source: YamlSource, path: SetupPath) {
    this.source = source
    this.path = path
  }

  at(...path: SetupPath): SetupPart {
    return new SetupPart(this.source, [...this.path, ...path])
  }

  /** Adds a problem at the position of the value, or of its nearest existing parent. */
  add(message: string): void {
    this.source.add(this.path, message)
  }

  /** Adds a problem at the position of a member's name. */
  addAtKey(message: string): void {
    this.source.addAtKey(this.path, message)
  }

  /** Whether no problem of the part has been found so far. */
  get isValid(): boolean {
    return this.source.isValid(this.path)
  }
}
