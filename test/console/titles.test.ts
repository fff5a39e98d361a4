// What people read on the pages of a journey: titles in their language, and no name of a property.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBrowser, startConsole } from '../support/console.ts'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'
import { longIt } from '../support/reliability-test.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

const WORDS = join(import.meta.dirname, '../../console/src/words')
const LOCALES = { nb: 'nb-NO', sv: 'sv-SE', de: 'de-AT' } as const
type Language = keyof typeof LOCALES

/** With the key of a text that is there once the page is complete. */
const READ_PAGES = [
  ['/EN', 'Changed last'],
  ['/EN/grid/customers', 'Columns'],
  ['/EN/record/customers/100000', 'Timeline'],
  ['/EN/new/customers', 'Save'],
  ['/EN/documents', 'File documents'],
  ['/EN/query', 'Excel file'],
] as const

/** With a text that is there once the page is complete. */
const PAGES = [
  ['/EN/grid/customers', '100000'],
  ['/EN/record/customers/100000', 'Timeline'],
  ['/EN/grid/general-ledger-transactions', 'Sum'],
  ['/EN/new/customers', 'Save'],
] as const

describe.skipIf(!isInstalled)('The pages of the console', () => {
  let browser: ConsoleBrowser
  let page: Page
  let names: readonly string[]
  beforeAll(async () => {
    browser = await startConsole(500)
    page = await browser.open()
    // A busy machine may take longer than Playwright's thirty seconds.
    page.setDefaultTimeout(0)
    names = await propertyNames()
  })
  afterAll(() => browser?.stop())

  const at = async (path: string, text: string) => {
    await page.goto(`${browser.demo.address}/console${path}`)
    await page.getByRole('main').getByText(text).first().waitFor()
  }
  const asked = async (path: string, accept = 'application/schema+json'): Promise<unknown> =>
    (await fetch(browser.demo.address + path, { headers: { ...DEMO_AUTHORIZATION, accept } })).json()
  const shown = () => page.evaluate<string>('document.body.innerText')
  const namesShown = async () => {
    const words = new Set((await shown()).match(/\w+/g))
    return names.filter((name) => words.has(name))
  }

  /** All documents are asked for theirs, as far as no sentence has such a word: with a capital within. */
  async function propertyNames(): Promise<string[]> {
    const documents = (await asked('/v1/objects?companyId=EN')) as { name: string }[]
    const schemas = documents.map(({ name }) =>
      asked(`/v1/objects/${name}?companyId=EN${name.startsWith('general') ? '&posted=true' : ''}`),
    )
    const all = (await Promise.all(schemas)).flatMap(namesIn)
    return [...new Set(all)].filter((name) => /^[a-z]+[A-Z]\w*$/.test(name))
  }

  it.each(PAGES)('show no name of a property: %s', async (path, text) => {
    expect(names).toEqual(
      expect.arrayContaining(['customerName', 'deliveryZone', 'transactionNumber', 'paymentTermsId']),
    )
    await at(path, text)
    expect(await namesShown()).toEqual([])
  })

  it('show the ledger as it is read, with the sum of what the filter leaves, and lead to the customer', async () => {
    const filter = "amounts/amount gt 0 and customerId ne ''"
    await at(`/EN/grid/general-ledger-transactions?filter=${encodeURIComponent(filter)}`, 'Sum')
    const grid = page.getByRole('grid')
    const headings = ['Voucher date', 'Voucher number', 'Account', 'Dimension 1', 'Amount', 'Text', 'Customer name']
    expect(await grid.getByRole('columnheader').allTextContents()).toEqual([...headings, 'Supplier name'])
    const question = `companyId=EN&posted=true&$filter=${filter}&$aggregate=sum(amounts/amount) as total`
    const path = `/v1/objects/general-ledger-transactions?${question}`
    const [{ total }] = (await asked(path, 'application/json')) as [{ total: number }]
    const sum = grid.getByRole('row').last()
    await expect.poll(async () => Number((await sum.textContent())?.replace(/[^\d.]/g, ''))).toBe(total)
    const customer = grid.getByRole('link').first()
    const name = (await customer.textContent()) ?? ''
    await customer.click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  })

  it('mark what a new record needs, and name legal values beside an illegal one', async () => {
    await at('/EN/new/customers', 'Save')
    const needed = await page.locator('label:has-text("*")').allInnerTexts()
    expect(needed).toEqual(['Customer name *', 'Country *', 'Customer group *', 'Delivery zone *', 'Address type *'])
    await page.getByLabel('Country').first().fill('QQ')
    await page.getByText(/Illegal value\. Such as .*\(/).waitFor()
    // What nobody has filled in yet is told when it is saved.
    expect(await page.getByText(/required/).count()).toBe(0)
  })

  it('show titles in the language that was chosen, and names where the mouse rests and for those who want them', async () => {
    await at('/EN/grid/customers', '100000')
    const choose = async (item: string) => {
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Deutsch')
    await page.getByRole('grid', { name: 'Rows of Kunden' }).waitFor()
    const heading = page.getByRole('columnheader', { name: 'Kundenname' })
    expect(await heading.getByTitle('customerName').count()).toBe(1)
    expect(await shown()).toContain('Hauptbuch')
    await choose('Titles with names')
    await page.getByRole('columnheader', { name: 'Kundenname customerName' }).waitFor()
    expect(await namesShown()).toContain('customerName')
    expect(browser.told).toEqual([])
    await page.context().close()
  })

  const journeyIn = async (language: Language) => {
    const words = JSON.parse(readFileSync(join(WORDS, `${language}.json`), 'utf8')) as Record<string, string>
    const english = Object.keys(words).filter((key) => words[key] !== key && !/\{\{|_(?:one|other)$/.test(key))
    const reader = await browser.open({ locale: LOCALES[language] })
    for (const [path, key] of READ_PAGES) {
      await reader.goto(`${browser.demo.address}/console${path}`)
      await reader
        .getByRole('main')
        .getByText(words[key] ?? key, { exact: true })
        .first()
        .waitFor()
      // What is still to come says so.
      await reader.waitForFunction("!document.querySelector('[aria-busy=true]')")
      const text = await reader.evaluate<string>('document.body.innerText')
      const lines = new Set(text.split('\n').map((line) => line.trim()))
      expect(english.filter((key) => lines.has(key) || (key.split(' ').length > 3 && text.includes(key)))).toEqual([])
      const shownWords = new Set(text.match(/\w+/g))
      expect(names.filter((name) => shownWords.has(name))).toEqual([])
    }
    expect(await reader.getAttribute('html', 'lang')).toBe(language)
    await reader.context().close()
  }

  it('show nothing in English to readers of German', () => journeyIn('de'))

  longIt.each(['nb', 'sv'] as const)('show nothing in English to readers of %s', journeyIn)
})

/** All names of members in a schema. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, inner]) => [
    ...(key === 'properties' ? Object.keys(inner as object) : []),
    ...namesIn(inner),
  ])
}
