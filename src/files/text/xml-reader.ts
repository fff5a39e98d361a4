// A streaming XML reader that stores nothing, expands no entities and fetches nothing. Attacks with entities need a
// document type declaration, which no office document has, so a document with one is rejected.
import { SaxesParser } from 'saxes'

/** Maximum depth; nested tables in text boxes take some dozens of levels. */
const MAX_DEPTH = 512
/** Office programs write fewer than 50 attributes per element. */
const MAX_ATTRIBUTES = 1_000
/** Maximum length of a text, comment or value in characters: no search can use more. */
const MAX_TOKEN_LENGTH = 1_000_000

/** Receives elements and texts in document order. Names have no namespace prefix. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string, parent: string): void
  close(name: string): void
}

/** The rest of the document cannot be read. The text so far is valid. */
export class EndOfXml extends Error {
  override readonly name = 'EndOfXml'
}

/** The document has a document type declaration: all of its text is discarded. */
export class DoctypeFound extends Error {
  override readonly name = 'DoctypeFound'
}

/** Reads XML from bytes. Throws `EndOfXml` where it is not well formed or exceeds a limit, and `DoctypeFound`. */
export class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: false, position: false })
  readonly #listener: XmlListener
  readonly #path: string[] = []
  #decoder: InstanceType<typeof TextDecoder> | undefined
  #attributes = 0
  /** Characters since the last event of the parser, which it buffers. */
  #buffered = 0

  constructor(listener: XmlListener) {
    this.#listener = listener
    const parser = this.#parser
    parser.on('error', (error) => {
      throw new EndOfXml(error.message)
    })
    parser.on('doctype', () => {
      throw new DoctypeFound('the document has a document type')
    })
    parser.on('opentagstart', () => this.#startElement())
    parser.on('attribute', () => this.#countAttribute())
    parser.on('opentag', ({ name, attributes }) => this.#open(localName(name), attributes))
    parser.on('closetag', ({ name }) => this.#close(localName(name)))
    parser.on('text', (text) => this.#text(text))
    parser.on('cdata', (text) => this.#text(text))
    parser.on('comment', () => this.#resetBuffered())
    parser.on('processinginstruction', () => this.#resetBuffered())
  }

  write(bytes: Uint8Array): void {
    this.#decoder ??= new TextDecoder(encodingOf(bytes))
    const text = this.#decoder.decode(bytes, { stream: true })
    this.#buffered += text.length
    this.#parser.write(text)
    if (this.#buffered > MAX_TOKEN_LENGTH) throw new EndOfXml('a part of the document is too long')
  }

  #startElement(): void {
    this.#resetBuffered()
    this.#attributes = 0
    if (this.#path.length >= MAX_DEPTH) throw new EndOfXml('the document is too deep')
  }

  #countAttribute(): void {
    this.#resetBuffered()
    if (++this.#attributes > MAX_ATTRIBUTES) throw new EndOfXml('an element has too many attributes')
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#path.push(name)
    this.#listener.open(name, attributes)
  }

  #close(name: string): void {
    this.#resetBuffered()
    this.#path.pop()
    this.#listener.close(name)
  }

  #text(text: string): void {
    this.#resetBuffered()
    this.#listener.text(text, this.#path.at(-1) ?? '')
  }

  #resetBuffered(): void {
    this.#buffered = 0
  }
}

/** Office programs write UTF-8. UTF-16 is allowed, and is recognized by its byte order mark. */
function encodingOf(beginning: Uint8Array): string {
  const [first, second] = beginning
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** `w:t` becomes `t`: the prefix is arbitrary. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
