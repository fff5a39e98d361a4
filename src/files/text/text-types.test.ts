import { expect, test } from 'vitest'
import { mayHoldText, textFormatOf } from './text-types.ts'

test.each([
  ['application/pdf', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'word'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'excel'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'powerpoint'],
  ['application/vnd.oasis.opendocument.text', 'openDocument'],
  ['text/html', 'html'],
  ['TEXT/Html ; charset=utf-8', 'html'],
  ['text/plain', 'plain'],
  ['text/csv', 'plain'],
  ['text/markdown', 'plain'],
  ['text/xml', 'xml'],
  ['application/xml', 'xml'],
  ['application/json', 'json'],
])('%s is read as %s', (mimeType, format) => {
  expect(textFormatOf(mimeType)).toBe(format)
  expect(mayHoldText(mimeType)).toBe(true)
})

test.each([
  '',
  ';',
  'text',
  'text/plain2',
  'image/png',
  'application/zip',
  'application/msword',
  'application/octet-stream',
  'constructor',
  '__proto__',
])('%j holds no text', (mimeType) => expect(mayHoldText(mimeType)).toBe(false))
