import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { askHidden } from './ask-hidden.ts'

it('returns the line, corrected, and shows nothing of it', async () => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()]
  const requested = askHidden('Secret: ', { stdin, stderr, exit: process.exit })
  stdin.write('a secrex\u007ft of mine\r')
  expect(await requested).toBe('a secret of mine')
  stderr.end()
  expect(await text(stderr)).toBe('Secret: \n')
})
