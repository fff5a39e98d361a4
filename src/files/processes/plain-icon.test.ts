import sharp from 'sharp'
import { expect, it } from 'vitest'
import { drawPlainIcon } from './plain-icon.ts'

it.each([1, 2, 15, 16, 96, 2_048])('draws a square PNG of %d pixels that decoders read', async (pixels) => {
  const { data, info } = await sharp(drawPlainIcon('pdf', pixels)).raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height, info.channels]).toEqual([pixels, pixels, 4])
  const at = (x: number, y: number) => {
    const offset = (Math.floor(y * pixels) * pixels + Math.floor(x * pixels)) * 4
    return [...data.subarray(offset, offset + 4)]
  }
  if (pixels < 15) return
  expect(at(0.4, 0.65)).toEqual([0xc8, 0x32, 0x3c, 0xff])
  expect(at(0.5, 0.3)).toEqual([0xf7, 0xf9, 0xfb, 0xff])
  expect(at(0.02, 0.02)).toEqual([0, 0, 0, 0])
})
