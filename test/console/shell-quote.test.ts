import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellQuoted } from '../../console/src/service/shell-quote.ts'

it.each(['plain', "it's", "''", '$(id) `id` "x" \\', 'two\nlines', "-u a'b'c"])(
  'is one word of a shell: %j',
  (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuoted(text)}`], { encoding: 'utf8' })).toBe(text)
  },
)
