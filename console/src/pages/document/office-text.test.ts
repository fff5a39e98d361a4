import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { NoOfficeFile, officeTexts } from './office-text.ts'
import { OPEN_TYPES, POWERPOINT_TYPE, WORD_TYPE } from './office-types.ts'

const file = (parts: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

it('reads the paragraphs and tables of a text', () => {
  const said = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
  const table = `<w:tbl><w:tr><w:tc>${said('1')}</w:tc><w:tc>${said('2')}</w:tc></w:tr></w:tbl>`
  const parts = { 'word/document.xml': `<w:d xmlns:w="urn:w">${said('a')}${said('b')}${table}</w:d>` }
  expect(officeTexts(WORD_TYPE, file(parts))).toEqual(['a\nb\n1\t2'])
})

it('reads slides in their order, and documents of LibreOffice', () => {
  const slide = (text: string) => `<p:s xmlns:p="urn:p" xmlns:a="urn:a"><a:p><a:t>${text}</a:t></a:p></p:s>`
  const slides = { 'ppt/slides/slide10.xml': slide('ten'), 'ppt/slides/slide9.xml': slide('nine') }
  expect(officeTexts(POWERPOINT_TYPE, file(slides))).toEqual(['nine', 'ten'])
  const content = { 'content.xml': '<o:d xmlns:o="urn:o" xmlns:t="urn:t"><t:h>A</t:h><t:p>b<t:tab/>c</t:p></o:d>' }
  expect(officeTexts(OPEN_TYPES[0] ?? '', file(content))).toEqual(['A\nb c'])
})

it('reads nothing of what is no Office file, and of a damaged one what is there', () => {
  for (const bytes of [new Uint8Array(), strToU8('text'), file({ 'other.xml': '<a/>' })])
    expect(() => officeTexts(WORD_TYPE, bytes)).toThrow(NoOfficeFile)
  const damaged = { 'word/document.xml': '<w:d xmlns:w="urn:w"><w:p><w:t>a</w:t></w:p><w:p></w:x>' }
  expect(officeTexts(WORD_TYPE, file(damaged))).toEqual(['a'])
})
