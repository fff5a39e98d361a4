// What a person sees and changes in the console: PDFs as copiers, scanning programs and offices in Asia write them, and
// forms of records with texts of several lines, numbers and dates.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBrowser, startConsole } from '../support/console.ts'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

const FIXTURES = join(import.meta.dirname, '../fixtures')
const fixture = (name: string) => readFileSync(join(FIXTURES, name))
/** The share of the page that is not white. */
const INK = `(() => {
  const canvas = document.querySelector('[aria-label="Page 1"] canvas')
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  let dark = 0
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 0 && data[at] < 128) dark++
  return dark / (canvas.width * canvas.height)
})()`

describe.skipIf(!isInstalled)('In the console', () => {
  let browser: ConsoleBrowser
  let page: Page
  beforeAll(async () => {
    browser = await startConsole(2)
    page = await browser.open()
  })
  afterAll(() => browser?.stop())

  async function open(content: Buffer, search = '', name = 'scan.pdf'): Promise<void> {
    const form = new FormData()
    form.append('docType', 'NOTE')
    form.append('title', 'A scan')
    form.append('file', new Blob([Uint8Array.from(content)]), name)
    const init = { method: 'POST', headers: DEMO_AUTHORIZATION, body: form }
    const filed = await fetch(`${browser.demo.address}/v1/documents?companyId=EN`, init)
    const { id } = (await filed.json()) as { id: string }
    expect(filed.status).toBe(201)
    await page.goto(`${browser.demo.address}/console/EN/documents/${id}${search && `?search=${search}`}`)
  }

  it.each(['scan-jbig2', 'scan-g4', 'scan-jpx'])('a PDF shows the picture of %s', async (name) => {
    await open(fixture(`pdfs/${name}.pdf`))
    await expect.poll(() => page.evaluate(INK)).toBeGreaterThan(0.01)
    expect(await page.evaluate(INK)).toBeLessThan(0.5)
    expect(await page.getByText(/cannot be shown/).count()).toBe(0)
  })

  it('a PDF has the text of fonts that are not in it, with the hits of a search marked', async () => {
    await open(fixture('pdfs/cjk-not-embedded.pdf'), '%E8%AB%8B%E6%B1%82')
    await page.getByText('\uc138\uae08').first().waitFor()
    const mark = page.getByRole('region', { name: 'Page 1' }).locator('mark').first()
    await mark.waitFor()
    expect(await mark.textContent()).toBe('\u8acb\u6c42')
  })

  it('an e-mail has its text and attachments, and loads nothing that it names', async () => {
    const lines = [
      'From: =?utf-8?Q?Anna_=C3=98rn?= <anna@example.com>',
      'Subject: Invoice',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      '',
      '<p>Here is the <b>invoice</b>.<img src="https://sender.example/seen.gif"><script>alert(1)</script></p>',
      '--b',
      'Content-Type: application/pdf',
      'Content-Disposition: attachment; filename="invoice.pdf"',
      '',
      '%PDF',
      '--b--',
    ]
    await open(Buffer.from(lines.join('\r\n')), 'invoice', 'invoice.eml')
    await page.getByText('Anna \u00d8rn <anna@example.com>').waitFor()
    expect(await page.locator('mark').first().textContent()).toBe('invoice')
    expect(await page.getByText('alert(1)').count()).toBe(0)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Save invoice\.pdf/ }).click()
    expect((await saved).suggestedFilename()).toBe('invoice.pdf')
    expect(browser.told).toEqual([])
  })

  it('an Office file has its text: slides, and sheets as tables; a damaged one says so', async () => {
    const slide = (text: string) => `<p:s xmlns:p="urn:p" xmlns:a="urn:a"><a:p><a:t>${text}</a:t></a:p></p:s>`
    const slides = { 'ppt/slides/slide1.xml': strToU8(slide('Pumps of the year <b>')) }
    await open(Buffer.from(zipSync(slides)), 'pumps', 'slides.pptx')
    await page.getByText('Pumps of the year').waitFor()
    expect(await page.locator('mark').first().textContent()).toBe('Pumps')
    await open(fixture('texts/letter.docx'), '', 'letter.docx')
    await page
      .getByText(/^Gr\u00fc\u00dfe/)
      .first()
      .waitFor()
    const sheet = {
      'xl/workbook.xml': strToU8('<w xmlns:r="urn:r"><sheet name="Prices" r:id="r1"/></w>'),
      'xl/_rels/workbook.xml.rels': strToU8('<r><Relationship Id="r1" Target="worksheets/sheet1.xml"/></r>'),
      'xl/worksheets/sheet1.xml': strToU8('<s><row><c t="str"><v>Pump</v></c><c><v>12.5</v></c></row></s>'),
    }
    await open(Buffer.from(zipSync(sheet)), '', 'prices.xlsx')
    await page.getByRole('region', { name: 'Prices' }).getByRole('cell', { name: '12.5' }).waitFor()
    await open(Buffer.from('PK\u0003\u0004 no archive'), '', 'damaged.docx')
    await page.getByText('The file cannot be read here: it is damaged, or needs a password.').waitFor()
    expect(browser.told).toEqual([])
  })

  it('a PDF says that a picture is missing when it cannot be decoded', async () => {
    const broken = fixture('pdfs/scan-jpx.pdf')
    broken.fill(0, broken.indexOf('ftypjp2'), broken.indexOf('ftypjp2') + 2_000)
    await open(broken)
    await page.getByText('1 picture of this page cannot be shown. Save the file.').waitFor()
  })

  it('a PDF shows what is filled in, also on a turned page, with the hits of a search where they stand', async () => {
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /NeedAppearances true /DA (/F1 12 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> /Fields [6 0 R] >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Rotate 90 /Contents 4 0 R /Annots [6 0 R] /Resources << /Font << /F1 5 0 R >> >> >>',
      '<< /Length 38 >>\nstream\nBT /F1 20 Tf 50 500 Td (Order pump) Tj ET\nendstream',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (n) /V (filled quince) /DA (/F1 12 Tf 0 g) /F 4 /P 3 0 R /Rect [50 300 250 320] >>',
    ]
    const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')
    await open(Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Root 1 0 R >>\n%%EOF`), 'quince pump', 'form.pdf')
    await expect.poll(() => page.evaluate(INK)).toBeGreaterThan(0.001)
    const marks = page.getByRole('region', { name: 'Page 1' }).locator('mark')
    await expect.poll(() => marks.allTextContents()).toEqual(['pump', 'quince'])
    const [whole, text, field] = await Promise.all(
      [page.getByRole('region', { name: 'Page 1' }), marks.nth(0), marks.nth(1)].map((one) => one.boundingBox()),
    )
    // Turned to the right, what is higher up stands further to the right.
    const place = (box: typeof text) => ((box?.x ?? 0) - (whole?.x ?? 0)) / (whole?.width ?? 1)
    expect([Math.round(place(text) * 10), Math.round(place(field) * 10)]).toEqual([8, 5])
    expect(await page.getByText(/The pages are pictures/).count()).toBe(0)
    await open(fixture('pdfs/scan-g4.pdf'))
    await page.getByText(/^The pages are pictures/).waitFor()
    await open(Buffer.from('%PDF-1.7 and then nothing that is one'), '', 'damaged.pdf')
    await page.getByText('The file is damaged, or is no PDF. Save it to try another program.').waitFor()
    expect(browser.told).toEqual([])
  })

  it('a PDF opens at the first page with a hit', async () => {
    const texts = ['first', 'second', 'the quince', 'fourth']
    const contents = texts.map((text) => `BT /F1 20 Tf 50 500 Td (${text}) Tj ET`)
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${texts.map((_, at) => `${4 + at} 0 R`).join(' ')}] /Count ${texts.length} >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...texts.map(
        (_, at) =>
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Contents ${8 + at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
      ...contents.map((one) => `<< /Length ${one.length} >>\nstream\n${one}\nendstream`),
    ]
    const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')
    await open(Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Root 1 0 R >>\n%%EOF`), 'quin*', 'pages.pdf')
    const mark = page.getByRole('region', { name: 'Page 3' }).locator('mark')
    const place = async () => {
      const { y = -1, height = 0 } = (await mark.boundingBox({ timeout: 1_000 }).catch(() => null)) ?? {}
      return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0)
    }
    await expect.poll(place).toBe(true)
    expect(await mark.textContent()).toBe('quince')
  })

  it('a PDF says that it needs its password', async () => {
    await open(fixture('texts/userPassword/1.6.pdf'))
    await page.getByText('The PDF needs a password. Save the file to open it.').first().waitFor()
  })

  const customer = `/v1/customers/100002?companyId=EN`
  const patched = async (changes: Readonly<Record<string, unknown>>) => {
    const body = JSON.stringify(Object.entries(changes).map(([path, value]) => ({ op: 'replace', path, value })))
    const headers = { ...DEMO_AUTHORIZATION, 'content-type': 'application/json' }
    const answer = await fetch(browser.demo.address + customer, { method: 'PATCH', headers, body })
    expect([answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([200, ''])
  }
  const stored = async () =>
    (await (await fetch(browser.demo.address + customer, { headers: DEMO_AUTHORIZATION })).json()) as {
      aliasName: string
      invoice: { creditLimit: number }
    }

  it.each(['\n', '\r\n'])('a form keeps the line end %j of a text', async (end) => {
    await patched({ '/aliasName': `line1${end}line2` })
    await page.goto(`${browser.demo.address}/console/EN/record/customers/100002/edit`)
    const field = page.locator('textarea').and(page.getByLabel('Alias', { exact: true }))
    await field.press('Control+End')
    await field.pressSequentially('!')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    expect((await stored()).aliasName).toBe(`line1${end}line2!`)
    expect(await page.getByRole('main').textContent()).not.toContain('000D')
  })

  it('a document shows the texts of its type and of the codes that it is filed by', async () => {
    await page.goto(`${browser.demo.address}/console/EN/documents`)
    const found = page.getByRole('list', { name: 'Documents found' })
    const filedBy = /P01054 Pumping station, Ask\u00f8y/
    await found.getByText(filedBy).first().waitFor()
    await found.getByRole('link', { name: 'Suspenders of the bridge' }).click()
    await page.getByText(filedBy).first().waitFor()
    await page.getByText('Photographs of sites').first().waitFor()
  })

  it('a form takes an emptied number for none, one as it is shown, and tells of what is no number at its field', async () => {
    await patched({ '/aliasName': 'ALIAS', '/invoice/creditLimit': 1234.5 })
    for (const [typed, limit] of [
      ['1\u202f234.75', 1234.75],
      ['', 0],
    ] as const) {
      await page.goto(`${browser.demo.address}/console/EN/record/customers/100002/edit`)
      const field = page.locator('input').and(page.getByLabel('Credit limit', { exact: true }))
      await field.fill('much')
      await page.getByText('This must be a number, such as 1234.5.').waitFor()
      await field.fill(typed)
      await page.getByRole('button', { name: /^Save/ }).click()
      await page.getByRole('region', { name: 'Timeline' }).waitFor()
      expect((await stored()).invoice.creditLimit).toBe(limit)
    }
  })

  it('asked nothing that its policy refuses', () => {
    expect(browser.told).toEqual([])
  })
})
