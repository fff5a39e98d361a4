// Tests with real job processes. Images are created and examined here.
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { pdf } from '../../../test/files/bombs/document-bombs.ts'
import { otherSeeds, photograph, seeds } from '../../../test/files/bombs/seeds.ts'
import type { Observation } from '../../observe/observation.ts'
import { type PicturedFile, ThumbnailMaker } from './thumbnail-maker.ts'

const SIZE = { width: 96, height: 96 }
const PDF = 'application/pdf'
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

const observed: Observation[] = []
const observe = (observation: Observation) => observed.push(observation)
/** An image takes longer on a busy machine. */
const timeoutMs = 60_000
const maker = new ThumbnailMaker({ rendersPdf: false, observe, timeoutMs })
const renderer = new ThumbnailMaker({ rendersPdf: true, observe, timeoutMs })
afterAll(async () => {
  await Promise.all([maker.close(), renderer.close()])
  expect(observed).toEqual([])
})

const FLOW = { group: 'EN', member: 'client' }

function fileOf(content: Uint8Array, mimeType = 'image/png'): PicturedFile {
  return { flow: FLOW, mimeType, sizeBytes: content.length, read: async () => Readable.from([content]) }
}

/** A file that must not be opened. */
function closedFile(mimeType: string): PicturedFile {
  return { flow: FLOW, mimeType, sizeBytes: 1_000, read: () => Promise.reject(new Error(`${mimeType} was opened`)) }
}

function plain(width: number, height: number, background = '#c00') {
  return sharp({ create: { width, height, channels: 3, background } })
}

/** The red, green, blue and optional alpha values of a pixel. */
async function pixelOf(png: Uint8Array, left: number, top: number): Promise<number[]> {
  return [...(await sharp(png).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())]
}

const iconOf = async (mimeType: string, size = SIZE) => (await maker.make(closedFile(mimeType), size)).png
const generic = (size = SIZE) => iconOf('text/plain', size)

describe('a picture', () => {
  it.each(Object.keys(seeds))('of the type %s is drawn inside the size', async (mimeType) => {
    for (const make of [seeds[mimeType], otherSeeds[mimeType]]) {
      const content = (await make?.()) as Buffer
      const { orientation = 1 } = await sharp(content).metadata()
      const { png, isLasting, ...size } = await maker.make(fileOf(content, mimeType), SIZE)
      expect(size).toEqual(orientation === 6 ? { width: 64, height: 96 } : { width: 96, height: 64 })
      const { format, width, height } = await sharp(png).metadata()
      expect({ format, width, height }).toEqual({ format: 'png', ...size })
      expect(isLasting).toBe(true)
    }
  })

  it.each([
    ['lying', [300, 100], [96, 96], [96, 32]],
    ['standing', [100, 300], [96, 96], [32, 96]],
    ['in a low box', [300, 100], [96, 10], [30, 10]],
    ['smaller than the size', [20, 10], [96, 96], [20, 10]],
    ['of one pixel', [1, 1], [2048, 2048], [1, 1]],
    ['in one pixel', [300, 100], [1, 1], [1, 1]],
    ['very wide', [60_000, 2], [96, 96], [96, 1]],
    ['very high', [2, 60_000], [96, 96], [1, 96]],
    ['as large as it gets', [3000, 2000], [2048, 2048], [2048, 1365]],
  ])('that is %s keeps its shape', async (_what, [width = 0, height = 0], [most = 0, highest = 0], expected) => {
    const content = await plain(width, height).png().toBuffer()
    const thumbnail = await maker.make(fileOf(content), { width: most, height: highest })
    expect([thumbnail.width, thumbnail.height]).toEqual(expected)
    expect(await pixelOf(thumbnail.png, 0, 0)).toEqual([0xcc, 0, 0])
  })

  it('is known by its content, whatever is said of it', async () => {
    const content = await plain(300, 100).jpeg().toBuffer()
    for (const mimeType of ['image/png', 'image/bmp', 'image/heic']) {
      expect(await maker.make(fileOf(content, mimeType), SIZE)).toMatchObject({ width: 96, height: 32 })
    }
  })

  it('stands upright', async () => {
    // The left half is red; the EXIF orientation says that left is the top.
    const content = await plain(200, 100, '#00f')
      .composite([{ input: await plain(100, 100, '#f00').png().toBuffer(), left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { png, width, height } = await maker.make(fileOf(content, 'image/jpeg'), SIZE)
    expect({ width, height }).toEqual({ width: 48, height: 96 })
    expect((await pixelOf(png, 24, 5))[0]).toBeGreaterThan(200)
    expect((await pixelOf(png, 24, 90))[2]).toBeGreaterThan(200)
  })

  it('keeps nothing that was said beside its pixels', async () => {
    const content = await plain(200, 100)
      .withMetadata({ orientation: 3, exif: { IFD0: { Copyright: 'a secret' } } })
      .jpeg()
      .toBuffer()
    const { png } = await maker.make(fileOf(content, 'image/jpeg'), SIZE)
    const { exif, icc, xmp, orientation } = await sharp(png).metadata()
    expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined])
    expect(Buffer.from(png).includes('a secret')).toBe(false)
  })

  it('of several frames shows the first', async () => {
    const pages = [await plain(50, 50, '#0f0').png().toBuffer(), await plain(50, 50, '#f00').png().toBuffer()]
    const content = await sharp(pages, { join: { animated: true } })
      .gif()
      .toBuffer()
    const { png, height } = await maker.make(fileOf(content, 'image/gif'), SIZE)
    expect(height).toBe(50)
    expect((await pixelOf(png, 25, 25)).slice(0, 3)).toEqual([0, 0xff, 0])
  })

  it('keeps what is transparent', async () => {
    const content = await sharp({ create: { width: 50, height: 50, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer()
    expect((await pixelOf((await maker.make(fileOf(content), SIZE)).png, 9, 9))[3]).toBe(0)
  })

  it('with the small faults that cameras make is drawn', async () => {
    const jpeg = await photograph(600, 400)
    const bytes = [Buffer.concat([jpeg, Buffer.from('what a telephone adds')]), Buffer.concat([jpeg.subarray(0, -2)])]
    for (const content of bytes) {
      expect(await maker.make(fileOf(content, 'image/jpeg'), SIZE)).toMatchObject({ width: 96, height: 64 })
    }
  })

  it('from print, in four colours, is drawn', async () => {
    const content = await plain(300, 100).toColourspace('cmyk').jpeg().toBuffer()
    expect(await maker.make(fileOf(content, 'image/jpeg'), SIZE)).toMatchObject({ width: 96, height: 32 })
  })

  it('that cannot be drawn has the generic icon, for good', async () => {
    const png = await plain(300, 300).png().toBuffer()
    const contents = [Buffer.alloc(0), Buffer.from('no picture'), png.subarray(0, 40), Buffer.from('<svg xmlns="a"/>')]
    for (const content of contents) {
      const thumbnail = await maker.make(fileOf(content), SIZE)
      expect(thumbnail).toEqual({ png: await generic(), width: 96, height: 96, isLasting: true })
    }
  })

  it('with more than 50 million pixels has the generic icon', async () => {
    const content = await plain(7_100, 7_100).png({ compressionLevel: 1 }).toBuffer()
    expect((await maker.make(fileOf(content), SIZE)).png).toEqual(await generic())
  })
})

describe('a file of another type', () => {
  it.each(['application/msword', WORD, 'application/vnd.ms-word.document.macroEnabled.12'])(
    'that is written with Word has an icon of its own, and is not opened: %s',
    async (mimeType) => {
      expect(await iconOf(mimeType)).toEqual(await iconOf(WORD))
      expect(await iconOf(mimeType)).not.toEqual(await generic())
    },
  )

  it.each(['text/plain', 'image/svg+xml', 'application/zip', 'application/octet-stream', 'constructor', ''])(
    'has the generic icon, and is not opened: %s',
    async (mimeType) => {
      expect(await iconOf(mimeType)).toEqual(await generic())
      expect(maker.rendersContent(mimeType)).toBe(false)
    },
  )

  it('that is PDF has its icon, and is not opened', async () => {
    expect(maker.rendersContent(PDF)).toBe(false)
    expect(await iconOf(PDF)).not.toEqual(await generic())
    expect(await iconOf(PDF)).not.toEqual(await iconOf(WORD))
  })

  it.each([
    [1, 1, 1],
    [16, 16, 16],
    [31, 32, 31],
    [2048, 96, 96],
    [7, 2048, 7],
    [2048, 2048, 2048],
  ])('has an icon that fits: in %i x %i', async (width, height, side) => {
    const icons = [PDF, WORD, 'text/plain'].map((mimeType) => maker.make(closedFile(mimeType), { width, height }))
    for (const icon of await Promise.all(icons)) {
      expect(icon).toMatchObject({ width: side, height: side, isLasting: true })
      const [drawn] = (await sharp(icon.png).ensureAlpha().stats()).channels.slice(3)
      expect(drawn?.max).toBeGreaterThan(100)
    }
  })
})

describe('a PDF whose first page is wanted', () => {
  const content = { data: 'BT /F 96 Tf 60 700 Td (Invoice) Tj ET 1 0 0 rg 0 0 595 421 re f' }
  const others = ['null', '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>']

  it('is drawn, with fonts that it does not bring along', async () => {
    expect(renderer.rendersContent(PDF)).toBe(true)
    const thumbnail = await renderer.make(fileOf(pdf({ content, others }), PDF), { width: 200, height: 100 })
    expect(thumbnail).toMatchObject({ width: 71, height: 100, isLasting: true })
    expect((await pixelOf(thumbnail.png, 35, 75)).slice(0, 3)).toEqual([0xff, 0, 0])
    const blank = await renderer.make(fileOf(pdf(), PDF), { width: 200, height: 100 })
    expect((await pixelOf(blank.png, 35, 75)).slice(0, 3)).toEqual([0xff, 0xff, 0xff])
    const word = await sharp(thumbnail.png).extract({ left: 0, top: 0, width: 71, height: 40 }).stats()
    expect(word.channels[0]?.min).toBeLessThan(128)
  })

  it('has the icon when it cannot be', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('%PDF-1.7'), pdf({ pages: '<</Type/Pages/Kids[]/Count 0>>' })]) {
      const thumbnail = await renderer.make(fileOf(bytes, PDF), SIZE)
      expect(thumbnail).toEqual({ png: await iconOf(PDF), width: 96, height: 96, isLasting: true })
    }
  })
})

describe('the maker', () => {
  it('makes many at once, each with its own picture', async () => {
    const colours = Array.from({ length: 30 }, (_, at) => at * 8)
    const contents = await Promise.all(colours.map((red) => plain(50, 50, `rgb(${red},0,0)`).png().toBuffer()))
    const thumbnails = await Promise.all(contents.map((content) => maker.make(fileOf(content), SIZE)))
    const drawn = await Promise.all(thumbnails.map(async ({ png }) => (await pixelOf(png, 5, 5))[0]))
    expect(drawn).toEqual(colours)
  })

  it('tells of a file that cannot be read', async () => {
    await expect(maker.make(closedFile('image/png'), SIZE)).rejects.toThrow('image/png was opened')
  })

  it('that is closed refuses', async () => {
    const closed = new ThumbnailMaker({ rendersPdf: false, observe })
    await closed.close()
    await expect(closed.make(closedFile('text/plain'), SIZE)).rejects.toMatchObject({ status: 503 })
    await expect(closed.make(fileOf(await plain(9, 9).png().toBuffer()), SIZE)).rejects.toMatchObject({ status: 503 })
  })
})
