import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { textOfLine } from './log-destination.ts'
import { createLogger } from './logger.ts'

const TIME = '2026-11-23T03:12:44.123Z'
const line = (level: string, msg: string, fields: object) => JSON.stringify({ level, time: TIME, ...fields, msg })

describe('a line of the log for a person', () => {
  /** Without what makes it take the place of a progress bar, and its colour. */
  const plain = (text: string) => text.replace('\r\u001b[K', '').replace(/\u001b\[\d+m([a-z]+ *)\u001b\[0m/, '$1')

  it.each([
    [
      line('info', 'request', { client: 'erp', method: 'GET', route: '/v1/customers/:id', status: 200, ms: 1.2 }),
      '03:12:44 info  request GET /v1/customers/:id 200 client=erp ms=1.2\n',
    ],
    [line('warn', 'store-warning', { message: 'two words' }), '03:12:44 warn  store-warning message="two words"\n'],
    [line('info', 'x', { path: '/a\u001b[2J\n"b"' }), `03:12:44 info  x path=${JSON.stringify('/a\u001b[2J\n"b"')}\n`],
    [
      line('fatal', 'crashed', { error: { message: 'm', stack: 'Error: m\u001b[2J\n    at here' } }),
      '03:12:44 fatal crashed\nError: m?[2J\n    at here\n',
    ],
  ])('of %s', (json, text) => {
    expect(plain(textOfLine(json))).toBe(text)
  })

  it('takes the place of a progress bar, with its level in colour', () => {
    expect(textOfLine(line('warn', 'x', {}))).toBe('\r\u001b[K03:12:44 \u001b[33mwarn \u001b[0m x\n')
  })

  it.each([
    [true, /^\r\u001b\[K[\d:]{8} \u001b\[33mwarn \u001b\[0m store-warning message=slow\n$/],
    [false, /^\{"level":"warn",.*"message":"slow","msg":"store-warning"\}\n$/],
  ])('is written where the output is a terminal, and JSON elsewhere (%s)', (isTTY, expected) => {
    const chunks: string[] = []
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      chunks.push(chunk.toString())
      done()
    }
    const output = Object.assign(new Writable({ write }), { isTTY })
    createLogger('warn', output)({ kind: 'store-warning', message: 'slow' })
    expect(chunks.join('')).toMatch(expected)
  })
})
