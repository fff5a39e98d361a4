import { describe, expect, it } from 'vitest'
import { textOfLine } from './log-text.ts'

const TIME = '2026-11-23T03:12:44.123Z'
const line = (level: string, msg: string, fields: object) => JSON.stringify({ level, time: TIME, ...fields, msg })

describe('a line of the log for a person', () => {
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
    expect(textOfLine(json, false)).toBe(text)
  })

  it('takes the place of a progress bar on a terminal, with its level in colour', () => {
    expect(textOfLine(line('warn', 'x', {}), true)).toBe('\r\u001b[K03:12:44 \u001b[33mwarn \u001b[0m x\n')
  })
})
