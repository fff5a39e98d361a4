// Thumbnails of documents and revisions: specification, documents 6 and revisions 3; decision 4.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import {
  base64,
  create,
  DOCUMENTS,
  information,
  noteOf,
  onEachArchive,
  PDF,
  pngOf,
  REVISIONS,
  revise,
  urlOf,
} from '../support/documents.ts'
import { runScenarios } from '../support/scenario.ts'
import type { Answer, World } from '../support/world.ts'

const UNKNOWN = '11111111-2222-3333-4444-555555555555'

const WORD = Buffer.from('PK\x03\x04 not much of a letter')

async function thumbnailOf(world: World, url: string, query = ''): Promise<Answer> {
  return world.send({ as: 'integration', url: `${url}/thumbnail${query}` })
}

/** The picture itself, as a reader of pictures sees it. */
async function pictureIn(answer: Answer) {
  expect(answer.status).toBe(200)
  const bytes = Buffer.from(answer.json.fileContent, 'base64')
  const { format, width, height } = await sharp(bytes).metadata()
  expect({ format, width, height }).toEqual({ format: 'png', width: answer.json.width, height: answer.json.height })
  return { bytes, width, height }
}

async function picture(world: World, content: Buffer, fileName = 'photo.png'): Promise<string> {
  return (await create(world, noteOf(`Picture ${fileName}`, { fileName, fileContent: base64(content) }))).id
}

/** All files of the folder store, by their names. */
function filesOf(world: World): string[] {
  return readdirSync(join(world.folder, 'files'), { recursive: true, encoding: 'utf8' }).map((path) => path)
}

onEachArchive('Thumbnails', (world) => {
  describe('of a picture', () => {
    it('has every field of the contract, and the size of the picture itself (rule 6, decision 4)', async () => {
      const id = await picture(world(), pngOf(400, 200), 'Site photo.png')
      const answer = await thumbnailOf(world(), urlOf(id))
      await pictureIn(answer)
      const { fileContent, ...rest } = answer.json
      expect(rest).toEqual({
        id,
        revisionNo: 1,
        width: 96,
        height: 48,
        mimeType: 'image/png',
        fileName: 'Site photo.png',
        lastUpdate: { updatedAt: expect.stringMatching(/^\d{4}-.*\d$/), updatedBy: 'svc-integration' },
      })
      expect(fileContent).not.toBe('')
    })

    it.each([
      ['', 96, 48],
      ['?width=50', 50, 25],
      ['?height=24', 48, 24],
      ['?width=300', 192, 96],
      ['?width=300&height=300', 300, 150],
      ['?WIDTH=300&Height=20&companyid=en&unknown=1', 40, 20],
      ['?width=2048&height=2048', 400, 200],
      ['?width=1&height=1', 1, 1],
      ['?width=&height=', 96, 48],
    ])(
      'fits inside the size of %j, keeps its shape and is never enlarged (rule 6, decision 4)',
      async (query, width, height) => {
        const id = await picture(world(), pngOf(400, 200))
        const answer = await thumbnailOf(world(), urlOf(id), query)
        expect(await pictureIn(answer)).toMatchObject({ width, height })
      },
    )

    it.each(['jpeg', 'webp', 'gif', 'tiff', 'png'] as const)('is made of %s', async (format) => {
      const content = await sharp(pngOf(200, 100)).toFormat(format).toBuffer()
      const id = await picture(world(), content, `photo.${format}`)
      expect(await pictureIn(await thumbnailOf(world(), urlOf(id)))).toMatchObject({ width: 96, height: 48 })
    })

    it('is rotated upright, and discloses no location', async () => {
      const content = await sharp(pngOf(200, 100))
        .withExif({ IFD0: { Copyright: 'canary of the photographer' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer()
      const id = await picture(world(), content, 'photo.jpg')
      const { bytes, ...size } = await pictureIn(await thumbnailOf(world(), urlOf(id)))
      expect(size).toEqual({ width: 48, height: 96 })
      expect((await sharp(bytes).metadata()).exif).toBeUndefined()
      expect(bytes.includes('canary')).toBe(false)
    })

    it('is the same the second time, and cached beside the content', async () => {
      const id = await picture(world(), pngOf(317, 211))
      const [first, second] = [await thumbnailOf(world(), urlOf(id)), await thumbnailOf(world(), urlOf(id))]
      expect(second.text).toBe(first.text)
      const [row] = await world().query(`select file_hash from document where document_id = '${id}'`)
      const files = filesOf(world())
      if (files.some((path) => path.endsWith(String(row?.file_hash)))) {
        expect(files.filter((path) => path.includes(`${row?.file_hash}.`))).toHaveLength(1)
      }
    })
  })

  describe('of other files', () => {
    const iconOf = async (fileName: string, content: Buffer, query = '') => {
      const { id } = await create(world(), noteOf('Icon', { fileName, fileContent: base64(content) }))
      return (await pictureIn(await thumbnailOf(world(), urlOf(id), query))).bytes.toString('base64')
    }

    it('is an icon of its kind: PDF, Word, anything else (specification, thumbnail)', async () => {
      const [pdf, word, text] = [
        await iconOf('a.pdf', PDF),
        await iconOf('a.docx', WORD),
        await iconOf('a.txt', Buffer.from('text')),
      ]
      expect(new Set([pdf, word, text]).size).toBe(3)
      expect(await iconOf('b.PDF', PDF)).toBe(pdf)
      expect(await iconOf('b.bin', Buffer.from([1, 2, 3]))).toBe(text)
    })

    it.each(['?width=16&height=16', '?width=512&height=512', '?width=40&height=300'])(
      'is drawn for the size %j',
      async (query) => {
        const { id } = await create(world(), noteOf('Icon', { fileName: 'a.pdf', fileContent: base64(PDF) }))
        const { width = 0, height = 0 } = await pictureIn(await thumbnailOf(world(), urlOf(id), query))
        const wanted = new URLSearchParams(query)
        expect(width).toBeLessThanOrEqual(Number(wanted.get('width')))
        expect(height).toBeLessThanOrEqual(Number(wanted.get('height')))
        expect(Math.max(width / Number(wanted.get('width')), height / Number(wanted.get('height')))).toBeGreaterThan(
          0.7,
        )
      },
    )

    it('is the generic icon for a picture that cannot be decoded, and for SVG (decision 4)', async () => {
      const generic = await iconOf('a.txt', Buffer.from('text'))
      expect(await iconOf('broken.png', pngOf(50, 50).subarray(0, 40))).toBe(generic)
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
      expect(await iconOf('drawing.svg', Buffer.from(svg))).toBe(generic)
    })
  })

  it('is of the newest revision for a document, and of each revision by its number (rules 6 and 3)', async () => {
    const id = await picture(world(), pngOf(200, 100))
    await revise(world(), id, { fileName: 'later.png', fileContent: base64(pngOf(100, 200)) })
    const newest = await thumbnailOf(world(), urlOf(id))
    expect(newest.json).toMatchObject({ revisionNo: 2, width: 48, height: 96, fileName: 'later.png' })
    const first = await thumbnailOf(world(), `${REVISIONS}/${id}/1`)
    expect(first.json).toMatchObject({ id, revisionNo: 1, width: 96, height: 48, fileName: 'photo.png' })
    expect((await thumbnailOf(world(), `${REVISIONS}/${id}/2`)).text).toBe(newest.text)
  })

  it('is answered for a deleted document, and without a body for one of another company', async () => {
    const { id } = await create(world(), noteOf('Deleted'))
    await world().send({ as: 'integration', method: 'DELETE', url: urlOf(id) })
    expect((await thumbnailOf(world(), urlOf(id))).status).toBe(200)
    const foreign = await world().send({ as: 'sv', url: `${urlOf(id)}/thumbnail` })
    const unknown = await world().send({ as: 'sv', url: `${urlOf(UNKNOWN)}/thumbnail` })
    expect([foreign.status, foreign.text, unknown.status, unknown.text]).toEqual([404, '', 404, ''])
    const revision = await world().send({ as: 'sv', url: `${REVISIONS}/${id}/1/thumbnail` })
    expect([revision.status, revision.text]).toEqual([404, ''])
  })

  const sizes = ['0', '-1', '2049', '2147483648', '1e3', 'NaN', '96.5', 'x'].flatMap((size) =>
    ['width', 'height'].map((side) => ({
      name: `refuses ${side}=${size} (decision 4)`,
      url: `${urlOf(UNKNOWN)}/thumbnail?${side}=${size}`,
      status: 400,
      json: { code: 1010, message: `The value of ${side} must be an integer from 1 to 2048.` },
    })),
  )
  runScenarios(world, [
    ...sizes,
    {
      name: 'tells what is wrong with both sides (decision 1)',
      url: `${urlOf(UNKNOWN)}/thumbnail?width=0&height=x`,
      status: 400,
      json: {
        code: 1010,
        message:
          'The value of width must be an integer from 1 to 2048. The value of height must be an integer from 1 to 2048.',
      },
    },
    {
      name: 'refuses a size that is given twice',
      url: `${urlOf(UNKNOWN)}/thumbnail?width=1&$Width=2`,
      status: 400,
      code: 1020,
    },
    {
      name: 'rule 6: refuses a malformed id',
      url: `${DOCUMENTS}/${'z'.repeat(36)}/thumbnail`,
      status: 400,
      json: information('Unrecognised Guid format.'),
    },
    {
      name: 'rule 3: refuses a malformed id of a revision',
      url: `${REVISIONS}/1/1/thumbnail`,
      status: 400,
      json: information('Guid should contain 32 digits with 4 dashes'),
    },
    {
      name: 'rule 3: refuses a revision number above 32 bits',
      url: `${REVISIONS}/${UNKNOWN}/2147483648/thumbnail`,
      status: 400,
      code: 1010,
    },
    {
      name: 'rule 6: answers 404 without a body for an unknown document',
      url: `${urlOf(UNKNOWN)}/thumbnail`,
      status: 404,
      json: undefined,
    },
    {
      name: 'revisions 3: answers 404 without a body for an unknown revision',
      url: `${REVISIONS}/${UNKNOWN}/7/thumbnail`,
      status: 404,
      json: undefined,
    },
    {
      name: 'rule 5: refuses a caller without the permission',
      url: `${urlOf(UNKNOWN)}/thumbnail`,
      as: 'creator',
      status: 403,
      code: 2030,
    },
    {
      name: 'rule 5: refuses an unknown company',
      url: `${urlOf(UNKNOWN)}/thumbnail?companyId=XX`,
      status: 403,
      code: 2030,
    },
  ])
})

onEachArchive(
  'Thumbnails with --thumbnails render',
  (world) => {
    it('is the first page of a PDF, and the icon where there is none that could be drawn', async () => {
      const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 150]/Contents 4 0 R>>'
      const pdf = pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        page,
        streamOf('1 0 0 rg 0 0 300 150 re f'),
      ])
      const { id } = await create(world(), noteOf('Red', { fileName: 'red.pdf', fileContent: base64(pdf) }))
      const { bytes, ...size } = await pictureIn(await thumbnailOf(world(), urlOf(id)))
      expect(size).toEqual({ width: 96, height: 48 })
      const { dominant } = await sharp(bytes).stats()
      expect([dominant.r > 200, dominant.g < 60, dominant.b < 60]).toEqual([true, true, true])

      const { id: broken } = await create(world(), noteOf('Broken', { fileName: 'a.pdf', fileContent: base64(PDF) }))
      const icon = await pictureIn(await thumbnailOf(world(), urlOf(broken)))
      expect(icon.bytes.equals(bytes)).toBe(false)
    })
  },
  { rendersPdf: true },
)

function streamOf(text: string): string {
  return `<</Length ${text.length}>>stream\n${text}\nendstream`
}

/** A PDF of these objects, the first of which is the catalogue. */
function pdfOf(objects: readonly string[]): string {
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj${object}endobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const count = objects.length + 1
  return `${text}xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}trailer<</Root 1 0 R/Size ${count}>>\nstartxref\n${text.length}\n%%EOF`
}
