import { describe, expect, it } from 'vitest'
import { Problem } from '../errors/problem.ts'
import { readStaged } from './staging.ts'

/** On Linux, reading from the start of this file fails with EIO. */
const FAILING = '/proc/self/mem'

describe.skipIf(process.platform !== 'linux')('a received content on a disk that fails', () => {
  const expected = expect.objectContaining({ status: 503, message: expect.stringContaining('the disk has failed') })

  it('is 503 when it is read for the answer to a write that only validates', async () => {
    const fault = await readStaged({ path: FAILING })
      .next()
      .catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Problem)
    expect(fault).toEqual(expected)
  })
})
