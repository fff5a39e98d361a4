import { expect, it } from 'vitest'
import { fitInside } from './size.ts'

it.each([
  ['lying', [842, 595], [96, 96], [96, 68]],
  ['standing', [595, 842], [96, 96], [68, 96]],
  ['of the same shape', [200, 100], [96, 48], [96, 48]],
  ['small, and enlarged', [10, 20], [100, 100], [50, 100]],
  ['flat', [1e9, 1e-7], [96, 96], [96, 1]],
  ['thin', [1e-7, 1e9], [96, 96], [1, 96]],
  ['huge', [1e30, 1e30], [2048, 1], [1, 1]],
])('fits a page that is %s', (_what, [width = 0, height = 0], [most = 0, highest = 0], expected) => {
  const { scale, ...size } = fitInside({ width, height }, { width: most, height: highest })
  expect([size.width, size.height]).toEqual(expected)
  expect(scale).toBeGreaterThan(0)
})
