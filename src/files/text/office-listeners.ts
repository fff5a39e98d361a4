// Listeners that collect the text in the XML of Word and Excel documents, and separate words.
import type { GatheredText } from './gathered-text.ts'
import type { XmlListener } from './xml-reader.ts'

/** Elements that stand for white space. */
const WORD_BLANKS = new Set(['tab', 'ptab', 'br', 'cr'])
const WORD_BLOCKS = new Set(['p', 'tc'])

/**
 * For the body, headers, footers and notes of a Word document. Deleted text and field codes are not in `t` elements.
 */
export function wordListener(text: GatheredText): XmlListener {
  // A text box is stored twice: in the current format, and in a `Fallback` element for older programs.
  let fallbackDepth = 0
  return {
    open(name) {
      if (name === 'Fallback') fallbackDepth++
      if (WORD_BLANKS.has(name)) text.addBreak()
      if (name === 'noBreakHyphen') text.add('-')
    },
    text(part, parent) {
      if (parent === 't' && fallbackDepth === 0) text.add(part)
    },
    close(name) {
      if (name === 'Fallback') fallbackDepth--
      if (WORD_BLOCKS.has(name)) text.addBreak()
    },
  }
}

/** For the workbook: the names of the sheets. */
export function workbookListener(text: GatheredText): XmlListener {
  return {
    open(name, attributes) {
      if (name !== 'sheet') return
      text.add(attributes.name ?? '')
      text.addBreak()
    },
    text() {},
    close() {},
  }
}

/** For the shared strings, each of which is stored once and referenced by cells. */
export function stringsListener(text: GatheredText): XmlListener {
  let phoneticDepth = 0
  return {
    open(name) {
      // `rPh` is the phonetic reading of a Japanese word, in addition to the word.
      if (name === 'rPh') phoneticDepth++
    },
    text(part, parent) {
      if (parent === 't' && phoneticDepth === 0) text.add(part)
    },
    close(name) {
      if (name === 'rPh') phoneticDepth--
      if (name === 'si') text.addBreak()
    },
  }
}

/** For a sheet: the values of its cells, except references to shared strings. */
export function sheetListener(text: GatheredText): XmlListener {
  let isShared = false
  return {
    open(name, attributes) {
      if (name === 'c') isShared = attributes.t === 's'
    },
    text(part, parent) {
      if (parent === 't' || (parent === 'v' && !isShared)) text.add(part)
    },
    close(name) {
      if (name === 'c') text.addBreak()
    },
  }
}
