// XML as a stream of elements and texts: nothing is kept, nothing is expanded, nothing is fetched. A document type is where
// such attacks begin, and no office document has one: it is refused.
import { TextDecoder } from 'node:util'
import { SaxesParser } from 'saxes'

/** Tables in tables in text boxes take some dozens. */
const MOST_LEVELS = 512
/** The most that office programs write is below 50. */
const MOST_ATTRIBUTES = 1_000
/** A text, comment or value that is longer than all that a search can use. In characters. */
const LONGEST_TOKEN = 1_000_000

/** What the text is for: told in the order of the document, names without their prefix. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string, parent: string): void
  close(name: string): void
}

/** Nothing more can be read. What was read until now stands. */
export class EndOfXml extends Error {
  override readonly name = 'EndOfXml'
}

/** Nothing of this document is to be trusted. */
export class DoctypeFound extends Error {
  override readonly name = 'DoctypeFound'
}

/** Reads XML from its bytes. Throws `EndOfXml` where it is no longer well formed, and `DoctypeFound`. */
export class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: false, position: false })
  readonly #listener: XmlListener
  readonly #path: string[] = []
  #decoder: TextDecoder | undefined
  #attributes = 0
  /** Characters since the parser last told anything: it keeps those. */
  #kept = 0

  constructor(listener: XmlListener) {
    this.#listener = listener
    const parser = this.#parser
    parser.on('error', (error) => {
      throw new EndOfXml(error.message)
    })
    parser.on('doctype', () => {
      throw new DoctypeFound('the document has a document type')
    })
    parser.on('opentagstart', () => this.#begin())
    parser.on('attribute', () => this.#countAttribute())
    parser.on('opentag', ({ name, attributes }) => this.#open(localName(name), attributes))
    parser.on('closetag', ({ name }) => this.#close(localName(name)))
    parser.on('text', (text) => this.#text(text))
    parser.on('cdata', (text) => this.#text(text))
    parser.on('comment', () => this.#told())
    parser.on('processinginstruction', () => this.#told())
  }

  write(bytes: Uint8Array): void {
    this.#decoder ??= new TextDecoder(encodingOf(bytes))
    const text = this.#decoder.decode(bytes, { stream: true })
    this.#kept += text.length
    this.#parser.write(text)
    if (this.#kept > LONGEST_TOKEN) throw new EndOfXml('a part of the document is too long')
  }

  #begin(): void {
    this.#told()
    this.#attributes = 0
    if (this.#path.length >= MOST_LEVELS) throw new EndOfXml('the document is too deep')
  }

  #countAttribute(): void {
    this.#told()
    if (++this.#attributes > MOST_ATTRIBUTES) throw new EndOfXml('an element has too many attributes')
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#path.push(name)
    this.#listener.open(name, attributes)
  }

  #close(name: string): void {
    this.#told()
    this.#path.pop()
    this.#listener.close(name)
  }

  #text(text: string): void {
    this.#told()
    this.#listener.text(text, this.#path.at(-1) ?? '')
  }

  #told(): void {
    this.#kept = 0
  }
}

/** Office programs write UTF-8; UTF-16 is allowed and says so by its first bytes. */
function encodingOf(beginning: Uint8Array): string {
  const [first, second] = beginning
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** `w:t` is `t`: the prefix is the writer's choice. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
