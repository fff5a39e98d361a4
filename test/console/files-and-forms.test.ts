// PDFs as copiers, scanning programs and offices in Asia write them, in the console.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

describe.skipIf(!isInstalled)('A PDF in the console', () => {
  let browser: ConsoleBrowser
  let page: Page
  beforeAll(async () => {
    browser = await startConsole(2)
    page = await browser.open()
  })
  afterAll(() => browser?.stop())

  async function open(content: Buffer, search = ''): Promise<void> {
    const form = new FormData()
    form.append('docType', 'NOTE')
    form.append('title', 'A scan')
    form.append('file', new Blob([Uint8Array.from(content)]), 'scan.pdf')
    const init = { method: 'POST', headers: DEMO_AUTHORIZATION, body: form }
    const filed = await fetch(`${browser.demo.address}/v1/documents?companyId=EN`, init)
    const { id } = (await filed.json()) as { id: string }
    expect(filed.status).toBe(201)
    await page.goto(`${browser.demo.address}/console/EN/documents/${id}${search && `?search=${search}`}`)
  }

  it.each(['scan-jbig2', 'scan-g4', 'scan-jpx'])('shows the picture of %s', async (name) => {
    await open(fixture(`pdfs/${name}.pdf`))
    await expect.poll(() => page.evaluate(INK)).toBeGreaterThan(0.01)
    expect(await page.evaluate(INK)).toBeLessThan(0.5)
    expect(await page.getByText(/cannot be shown/).count()).toBe(0)
  })

  it('lays the text of fonts that are not in the file over it, with the hits of a search marked', async () => {
    await open(fixture('pdfs/cjk-not-embedded.pdf'), '%E8%AB%8B%E6%B1%82')
    const [first] = await Promise.all([page.getByText('\u8acb\u6c42').first(), page.getByText('\ubc1c').first()])
    await first.waitFor()
  })

  it('says that a picture is missing when it cannot be decoded', async () => {
    const broken = fixture('pdfs/scan-jpx.pdf')
    broken.fill(0, broken.indexOf('ftypjp2'), broken.indexOf('ftypjp2') + 2_000)
    await open(broken)
    await page.getByText('Pictures of this page that cannot be shown: 1. Save the file.').waitFor()
  })

  it('says that a file needs its password', async () => {
    await open(fixture('texts/userPassword/1.6.pdf'))
    await page.getByText('The PDF needs a password. Save the file to open it.').first().waitFor()
  })

  it('asked nothing that its policy refuses', () => {
    expect(browser.told).toEqual([])
  })
})
