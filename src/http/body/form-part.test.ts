import { describe, expect, it } from 'vitest'
import { formPartOf, UnreadableName } from './form-part.ts'

/** The bytes of a header in UTF-8, as the parser gives them. */
const latin1 = (text: string) => Buffer.from(text).toString('latin1')
const partOf = (disposition: string, type = '') =>
  formPartOf({ 'content-disposition': [latin1(disposition)], ...(type === '' ? {} : { 'content-type': [type] }) })

const MUELLER = 'M\u00fcller.pdf'
const CODED = '=?utf-8?B?TcO8bGxlci5wZGY=?='

describe('the name of a file in a form', () => {
  it.each([
    ['in UTF-8', `form-data; name="file"; filename="${MUELLER}"`, MUELLER],
    ['behind a coded one', `form-data; name="file"; filename="${CODED}"; filename*=utf-8''M%C3%BCller.pdf`, MUELLER],
    ['before a coded one', `form-data; name="file"; filename*=utf-8''M%C3%BCller.pdf; filename="${CODED}"`, MUELLER],
    ['without quotes', `form-data; name=file; filename=x.pdf; filename*=UTF-8'de'M%C3%BCller.pdf`, MUELLER],
    ['in quotes, against the rule', `form-data; name=file; filename*="UTF-8''M%C3%BCller.pdf"`, MUELLER],
    ['in Latin-1', `form-data; name="file"; filename="x"; filename*=iso-8859-1''M%FCller.pdf`, MUELLER],
    [
      'in another encoding, beside a plain one',
      `form-data; name="file"; filename="x.pdf"; filename*=koi8-r''%C1`,
      'x.pdf',
    ],
    ['coded alone', `form-data; name="file"; filename="${CODED}"`, MUELLER],
    [
      'coded with escapes',
      'form-data; name="file"; filename="=?iso-8859-1?q?M=FCller_und_Sohn.pdf?="',
      'M\u00fcller und Sohn.pdf',
    ],
    ['coded in two words', `form-data; name="file"; filename="=?utf-8?B?TcO8?= =?UTF-8*de?Q?ller?=.pdf"`, MUELLER],
    [
      'coded with a slash in the code',
      'form-data; name="file"; filename="=?utf-8?B?w4VuZ3N0csO2bSDDv8O/w78udHh0?="',
      '\u00c5ngstr\u00f6m \u00ff\u00ff\u00ff.txt',
    ],
    ['with quotes of a browser', 'form-data; name="file"; filename="5%22 pipe.txt"', '5" pipe.txt'],
    ['with line ends of a browser', 'form-data; name="file"; filename="a%0D%0Ab.txt"', 'a\r\nb.txt'],
    ['with quotes behind a backslash', 'form-data; name="file"; filename="5\\" pipe; a.txt"', '5" pipe; a.txt'],
    ['with another percent sign', 'form-data; name="file"; filename="100%25.txt"', '100%25.txt'],
    ['behind a folder', 'form-data; name="file"; filename="C:\\fakepath\\a.txt"', 'a.txt'],
    ['behind a coded folder', `form-data; name="file"; filename*=utf-8''..%2Fb%2Fa.txt`, 'a.txt'],
    ['of a header in other letters', 'Form-Data ;NAME="file";FileName="a.txt"', 'a.txt'],
    ['that is empty', 'form-data; name="file"; filename=""', ''],
  ])('is read %s', (_how, disposition, fileName) => {
    expect(partOf(disposition)).toMatchObject({ name: 'file', fileName })
  })

  it.each([
    ['bytes that are no UTF-8', 'form-data; name="file"; filename="M\u00fcller"'],
    ['a coded word that is no text in its encoding', 'form-data; name="file"; filename="=?utf-8?Q?M=FCller?="'],
    ['a coded word in an encoding that nobody knows', 'form-data; name="file"; filename="=?x-none?Q?M?="'],
  ])('is refused with %s', (_what, disposition) => {
    expect(() => formPartOf({ 'content-disposition': [disposition] })).toThrow(UnreadableName)
  })

  it('is absent of a field, whose own name may be coded too', () => {
    const part = partOf("form-data; name*=utf-8''Stra%C3%9Fe", 'Text/Plain; charset="ISO-8859-1"')
    expect(part).toMatchObject({ name: 'Stra\u00dfe', fileName: undefined, type: 'text/plain', charset: 'ISO-8859-1' })
  })

  it('is none where there is no field', () => {
    expect([partOf('attachment; filename="a.txt"'), formPartOf({})]).toEqual([undefined, undefined])
  })
})
