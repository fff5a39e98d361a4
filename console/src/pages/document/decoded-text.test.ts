import { expect, it } from 'vitest'
import { decodedText } from './decoded-text.ts'

const bytes = (...all: number[]) => Uint8Array.from(all)

it.each([
  ['UTF-8', bytes(0xc3, 0x98, 0x6c), 'text/plain', '\u00d8l'],
  ['UTF-8 with a mark', bytes(0xef, 0xbb, 0xbf, 0xc3, 0x98), 'text/plain', '\u00d8'],
  ['UTF-16 with a mark', bytes(0xff, 0xfe, 0xd8, 0, 0x6c, 0), 'text/plain', '\u00d8l'],
  ['UTF-16 of the other order', bytes(0xfe, 0xff, 0, 0xd8), 'text/plain', '\u00d8'],
  ['Windows-1252 that says nothing', bytes(0xd8, 0x6c, 0x80), 'text/plain', '\u00d8l\u20ac'],
  ['what the type says', bytes(0xe8), 'text/plain; charset="iso-8859-2"', '\u010d'],
  ['a type that says what nobody knows', bytes(0xc3, 0x98), 'text/plain; charset=x-none', '\u00d8'],
  ['a type that is wrong', bytes(0xd8), 'text/plain; charset=utf-8', '\u00d8'],
  ['nothing', bytes(), 'text/plain', ''],
])('reads %s', (_name, content, type, text) => {
  expect(decodedText(content, type)).toBe(text)
})
