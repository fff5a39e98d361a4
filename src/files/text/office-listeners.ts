// What is text in the XML of Word and Excel, and where a word ends.
import type { GatheredText } from './gathered-text.ts'
import type { XmlListener } from './xml-reader.ts'

/** Blanks that are elements. */
const WORD_BLANKS = new Set(['tab', 'ptab', 'br', 'cr'])
const WORD_BLOCKS = new Set(['p', 'tc'])

/** The body of a Word document, a header, a footer or the notes. Deleted text and field codes are no `t`. */
export function wordListener(text: GatheredText): XmlListener {
  // A text box is written twice: for programs that know it, and as a fallback for those that do not.
  let fallbacks = 0
  return {
    open(name) {
      if (name === 'Fallback') fallbacks++
      if (WORD_BLANKS.has(name)) text.addBreak()
      if (name === 'noBreakHyphen') text.add('-')
    },
    text(part, parent) {
      if (parent === 't' && fallbacks === 0) text.add(part)
    },
    close(name) {
      if (name === 'Fallback') fallbacks--
      if (WORD_BLOCKS.has(name)) text.addBreak()
    },
  }
}

/** The names of the sheets. */
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

/** The texts that cells refer to: each once, in the order in which they were written. */
export function stringsListener(text: GatheredText): XmlListener {
  let readings = 0
  return {
    open(name) {
      // How a Japanese word is pronounced stands beside it.
      if (name === 'rPh') readings++
    },
    text(part, parent) {
      if (parent === 't' && readings === 0) text.add(part)
    },
    close(name) {
      if (name === 'rPh') readings--
      if (name === 'si') text.addBreak()
    },
  }
}

/** The cells of a sheet, but for those that only have the number of a shared text. */
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
