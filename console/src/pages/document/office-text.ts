// The text of Office files, read in the browser. Whatever they unpack to is bounded.
import { unzipSync } from 'fflate'
import {
  type OfficeParts,
  type OfficeSink,
  OPEN_DOCUMENT,
  POWERPOINT,
  WORD,
} from '../../../../src/files/text/office-parts.ts'
import { XmlReader } from '../../../../src/files/text/xml-reader.ts'
import { OPEN_TYPES, POWERPOINT_TYPE, WORD_TYPE } from './office-types.ts'

/** By media type. */
const PARTS: Readonly<Record<string, OfficeParts>> = {
  [WORD_TYPE]: WORD,
  [POWERPOINT_TYPE]: POWERPOINT,
  ...Object.fromEntries(OPEN_TYPES.map((type) => [type, OPEN_DOCUMENT])),
}

const MAX_PART_BYTES = 32 * 1024 * 1024
/** More is no reading any longer. */
export const MAX_CHARACTERS = 500_000
const XML_CHUNK_BYTES = 64 * 1024

/** The file is damaged, needs a password, or is something else than it says. */
export class NoOfficeFile extends Error {}

/** The texts of its parts, such as slides, in their order. Throws `NoOfficeFile`. */
export function officeTexts(type: string, content: Uint8Array): string[] {
  const wanted = PARTS[type] ?? []
  const files = unpacked(content, wanted)
  const texts = wanted.flatMap(([pattern, listenerOf]) =>
    Object.keys(files)
      .filter((name) => pattern.test(name))
      .toSorted((one, other) => numberIn(one) - numberIn(other))
      .map((name) => textOf(files[name] ?? new Uint8Array(), listenerOf)),
  )
  if (texts.length === 0) throw new NoOfficeFile()
  return texts.filter((text) => text !== '')
}

function unpacked(content: Uint8Array, wanted: OfficeParts): Record<string, Uint8Array> {
  const isWanted = ({ name, originalSize }: { readonly name: string; readonly originalSize: number }) =>
    originalSize <= MAX_PART_BYTES && wanted.some(([pattern]) => pattern.test(name))
  try {
    return unzipSync(content, { filter: isWanted })
  } catch {
    throw new NoOfficeFile()
  }
}

/** `slide2` before `slide10`. */
const numberIn = (name: string): number => Number(/(\d+)\.\w+$/.exec(name)?.[1] ?? 0)

function textOf(part: Uint8Array, listenerOf: OfficeParts[number][1]): string {
  const gathered = new Gathered()
  const reader = new XmlReader(listenerOf(gathered))
  try {
    for (let at = 0; at < part.length && !gathered.isFull; at += XML_CHUNK_BYTES)
      reader.write(part.subarray(at, at + XML_CHUNK_BYTES))
  } catch {
    // The text up to the damage counts.
  }
  return gathered.text()
}

/** Paragraphs are lines; the cells of a row stand behind each other. */
class Gathered implements OfficeSink {
  #lines: string[] = []
  #line = ''
  #length = 0

  get isFull(): boolean {
    return this.#length > MAX_CHARACTERS
  }

  add(text: string): void {
    this.#line += text
    this.#length += text.length
  }

  blank(): void {
    this.#line += ' '
  }

  cell(): void {
    this.#line = `${this.#line.trimEnd()}\t`
  }

  line(): void {
    this.#lines.push(this.#line.trimEnd())
    this.#line = ''
    this.#length += 1
  }

  text(): string {
    this.line()
    return this.#lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
      .slice(0, MAX_CHARACTERS)
  }
}
