import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { askHidden } from './ask-hidden.ts'

it('returns the line, corrected, and shows nothing of it', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const asked = askHidden('Secret: ', input, output)
  input.write('a secrex\u007ft of mine\r')
  expect(await asked).toBe('a secret of mine')
  output.end()
  expect(await text(output)).toBe('Secret: \n')
})
