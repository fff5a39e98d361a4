import { describe, expect, it } from 'vitest'
import { pictureFormatOf } from './picture-format.ts'

describe('a picture', () => {
  it.each([
    ['89504e470d0a1a0a0000000d', 'png'],
    ['ffd8ffe000104a4649460001', 'jpeg'],
    ['ffd8ff', 'jpeg'],
    ['474946383961', 'gif'],
    ['474946383761', 'gif'],
    ['524946460000000057454250', 'webp'],
    ['49492a00', 'tiff'],
    ['4d4d002a', 'tiff'],
  ])('is known by how it begins: %s', (head, format) => {
    expect(pictureFormatOf(Buffer.from(head, 'hex'))).toBe(format)
    expect(pictureFormatOf(Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(100, 0xff)]))).toBe(format)
  })

  it.each([
    ['nothing', ''],
    ['half a signature', '89504e47'],
    ['PNG with line ends that were changed', '89504e470a1a0a'],
    ['another version of GIF', '474946383861'],
    ['a sound', '524946460000000057415645'],
    ['a large TIFF', '49492b00'],
    ['a drawing', Buffer.from('<svg xmlns="').toString('hex')],
    ['PDF', Buffer.from('%PDF-1.7').toString('hex')],
    ['an archive', '504b0304'],
    ['AVIF', '0000001c6674797061766966'],
    ['a bitmap', '424d'],
    ['a picture behind something else', `00${'ffd8ff'}`],
  ])('is not %s', (_what, head) => {
    expect(pictureFormatOf(Buffer.from(head, 'hex'))).toBeUndefined()
  })
})
