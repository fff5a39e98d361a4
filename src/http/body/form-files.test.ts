import { describe, expect, it } from 'vitest'
import { Problem } from '../../errors/problem.ts'
import { formFiles } from './form-files.ts'

const part = (name: string, content: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n${more}\r\n${content}\r\n`

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function contentsOf(text: string, size = 7) {
  const files = await formFiles(chunksOf(text, size), 'multipart/form-data; boundary=b')
  const bytes = Buffer.from(text)
  return files.map(({ name, type, start, end }) => [name, type, bytes.subarray(start, end).toString()])
}

describe('the files of a form', () => {
  it.each([1, 2, 3, 5, 64, 10_000])(
    'are found with their types, whatever the pieces of the body (%i bytes)',
    async (size) => {
      const form = `before it\r\n${part('rows', 'a;b\r\n--c\r\n\r\n1;2', 'Content-Type: text/csv; charset=utf-8\r\n')}${part('map', '')}${part('lines', '\r\n--\r\n', 'Content-Type: application/x-ndjson\r\n')}--b--\r\nbehind it`
      expect(await contentsOf(form, size)).toEqual([
        ['rows', 'text/csv', 'a;b\r\n--c\r\n\r\n1;2'],
        ['map', '', ''],
        ['lines', 'application/x-ndjson', '\r\n--\r\n'],
      ])
    },
  )

  it.each([
    ['', 'it is not sent to its end'],
    ['rows', 'it is not sent to its end'],
    [part('rows', 'a'), 'it is not sent to its end'],
    [`${part('rows', 'a')}${part('rows', 'b')}--b--`, "it has 'rows' twice"],
    [`${part('', 'a')}--b--`, 'a part has no name'],
    ['--b\r\nContent-Type: text/csv\r\n\r\na\r\n--b--', 'a part has no name'],
    [`${part('rows', 'YQ==', 'Content-Transfer-Encoding: base64\r\n')}--b--`, "'rows' is sent as base64"],
    [`--b\r\nX: ${'x'.repeat(10_000)}`, 'the headers of a part are too long'],
    [`${Array.from({ length: 21 }, (_, at) => part(`f${at}`, '')).join('')}--b--`, 'it has more than 20 files'],
  ])('of %j are none: %s', async (form, message) => {
    await expect(contentsOf(form)).rejects.toThrow(Problem)
    await expect(contentsOf(form)).rejects.toThrow(message)
  })
})
