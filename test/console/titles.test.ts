// What people read on the pages of a journey: titles in their language, and no name of a property.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBrowser, startConsole } from '../support/console.ts'
import { namesShown, propertyNames } from '../support/console-names.ts'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'
import { longIt } from '../support/reliability-test.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

/** Those of the console, and of the service. */
const WORDS = ['console/src/words', 'src/errors/words'].map((folder) => join(import.meta.dirname, '../..', folder))
const LOCALES = { nb: 'nb-NO', sv: 'sv-SE', de: 'de-AT' } as const
type Language = keyof typeof LOCALES

/** With the key of a text that is there once the page is complete. */
const READ_PAGES = [
  ['/EN', 'What you follow'],
  ['/EN/balances/general-ledger-transactions', 'Subtotals'],
  ['/EN/grid/customers', 'Columns'],
  ['/EN/record/customers/100000', 'Timeline'],
  ['/EN/new/customers', 'Save'],
] as const

/** Those on which nothing else is looked at, with a text that is there once the page is complete. */
const PAGES = [
  ['/EN', 'Where to begin'],
  ['/EN/record/customers/100000', 'Timeline'],
] as const

describe.skipIf(!isInstalled)('The pages of the console', () => {
  let browser: ConsoleBrowser
  let page: Page
  let names: readonly string[]
  beforeAll(async () => {
    browser = await startConsole(500)
    page = await browser.open()
    names = await propertyNames(browser.demo.address)
  })
  afterAll(() => browser?.stop())

  const at = async (path: string, text: string) => {
    await page.goto(`${browser.demo.address}/console${path}`)
    await page.getByRole('main').getByText(text).first().waitFor()
  }
  const asked = async (path: string, accept = 'application/schema+json'): Promise<unknown> =>
    (await fetch(browser.demo.address + path, { headers: { ...DEMO_AUTHORIZATION, accept } })).json()
  const shown = () => page.evaluate<string>('document.body.innerText')
  it.each(PAGES)('show no name of a property: %s', async (path, text) => {
    expect(names).toEqual(
      expect.arrayContaining(['customerName', 'deliveryZone', 'transactionNumber', 'paymentTermsId']),
    )
    await at(path, text)
    expect(await namesShown(page, names)).toEqual([])
  })

  it('tell in words what the line of a figure shows, and which contracts end soon', async () => {
    const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
    await fetch(`${browser.demo.address}/v1/contracts/K-2022-011?companyId=EN`, {
      method: 'PATCH',
      headers: { ...DEMO_AUTHORIZATION, 'content-type': 'application/json' },
      body: JSON.stringify([{ op: 'replace', path: '/validTo', value: soon }]),
    })
    await at('/EN', 'What you follow')
    const period = '\\d{4}-\\d\\d'
    const told = new RegExp(`${period} to ${period}: least .* in ${period}, greatest .* in ${period}`)
    await page.getByRole('list', { name: 'Figures' }).getByRole('img', { name: told }).waitFor()
    await page.getByRole('link', { name: /^Contracts: \d+ ends? within 30 days \(Valid to\)/ }).click()
    await page.getByRole('group', { name: 'Filters' }).getByText('Valid to').waitFor()
    await page.getByRole('grid').getByRole('link', { name: 'K-2022-011' }).waitFor()
  })

  it('show the ledger as it is read, with the sum of what the filter leaves, and lead to the customer and back', async () => {
    const filter = "amounts/amount gt 0 and customerId ne ''"
    await at(`/EN/grid/general-ledger-transactions?filter=${encodeURIComponent(filter)}`, 'Sum')
    const grid = page.getByRole('grid')
    const headings = ['Voucher date', 'Voucher number', 'Account', 'Cost centre', 'Amount', 'Text', 'Customer name']
    await expect.poll(() => grid.getByRole('columnheader').allTextContents()).toEqual([...headings, 'Supplier name'])
    expect(await namesShown(page, names)).toEqual([])
    const question = `companyId=EN&posted=true&$filter=${filter}&$aggregate=sum(amounts/amount) as total`
    const path = `/v1/objects/general-ledger-transactions?${question}`
    const [{ total }] = (await asked(path, 'application/json')) as [{ total: number }]
    const sum = grid.getByRole('row').last()
    await expect.poll(async () => Number((await sum.textContent())?.replace(/[^\d.]/g, ''))).toBe(total)
    const customer = grid.getByRole('link').filter({ hasText: /\p{L}/u }).first()
    const name = (await customer.textContent()) ?? ''
    await customer.click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const used = page.getByRole('region', { name: 'Used in' }).getByRole('link', { name: /^General ledger/ })
    const [, count = '', amount = ''] = /(\d+)Amount (.*)/.exec((await used.textContent()) ?? '') ?? []
    await used.click()
    await page.getByText(`${count} row`).waitFor()
    await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: name }).waitFor()
    await expect.poll(() => sum.textContent()).toContain(amount)
  })

  it('lead from an amount in the ledger to its voucher, and tell whether that balances', async () => {
    const ledger = '/v1/objects/general-ledger-transactions?companyId=EN&posted=true'
    const select = '$select=transactionNumber,amounts/amount&$filter=amounts/amount gt 30000'
    const lines = await asked(`${ledger}&${select}&$orderby=amounts/amount&$limit=1`, 'application/json')
    const [{ transactionNumber, amounts }] = lines as [{ transactionNumber: number; amounts: { amount: number } }]
    await at(`/EN/grid/general-ledger-transactions?filter=${`amounts/amount eq ${amounts.amount}`}`, 'Sum')
    await page
      .getByRole('grid')
      .getByRole('link', { name: String(transactionNumber) })
      .click()
    await page.getByRole('heading', { level: 1, name: `Voucher number ${transactionNumber}` }).waitFor()
    await page.getByText(/^✓ Debit and credit are equal/).waitFor()
    const debit = `$filter=transactionNumber eq ${transactionNumber} and amounts/amount gt 0`
    const sums = await asked(`${ledger}&${debit}&$aggregate=sum(amounts/amount) as total`, 'application/json')
    const [{ total }] = sums as [{ total: number }]
    const totals = await page
      .getByRole('row', { name: /^Total/ })
      .getByRole('cell')
      .allTextContents()
    expect(totals.slice(0, 2).map(numberIn)).toEqual([total, total])
    expect(await namesShown(page, names)).toEqual([])
  })

  it('show the balances that the service adds up, and lead by keys to what was summed', async () => {
    const where = "accountingInformation/account eq '1500'"
    const groups = `$filter=${where}&$groupby=period&$aggregate=sum(amounts/amount) as total&$orderby=period`
    const ledger = '/v1/objects/general-ledger-transactions?companyId=EN&posted=true'
    const sums = (await asked(`${ledger}&${groups}`, 'application/json')) as { period: number; total: number }[]
    await at('/EN/balances/general-ledger-transactions', '1 Assets')
    expect(await namesShown(page, names)).toEqual([])
    const row = page.getByRole('row', { name: /^1500/ })
    const cells = async () => (await row.getByRole('gridcell').allTextContents()).map(numberIn)
    await expect.poll(async () => (await cells()).slice(0, -1)).toEqual(sums.map(({ total }) => total))
    const all = await page
      .getByRole('row', { name: /^Total/ })
      .getByRole('gridcell')
      .allTextContents()
    expect(new Set(all.map(numberIn))).toEqual(new Set([0]))
    await page
      .getByRole('row', { name: /^1 Assets/ })
      .getByRole('rowheader')
      .focus()
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) {
      await page.keyboard.press(key)
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'General ledger' }).waitFor()
    const sum = page.getByRole('grid').getByRole('row').last()
    await expect.poll(async () => numberIn((await sum.textContent()) ?? '')).toBe(sums[1]?.total)
  })

  it('mark what a new record needs, and name legal values beside an illegal one', async () => {
    await at('/EN/new/customers', 'Save')
    expect(await namesShown(page, names)).toEqual([])
    const fields = ['Customer name *', 'Country *', 'Customer group *', 'Delivery zone *']
    // The setup demands a relation, and a contact point is begun.
    await expect
      .poll(() => page.locator('label:has-text("*")').allInnerTexts())
      .toEqual([...fields, 'Address type *', 'Relation *', 'Related value *'])
    // Before the service can tell what the record would have.
    expect(await page.getByLabel('Expiry date').getAttribute('placeholder')).toBe('31/12/2099')
    await page.getByLabel('Country').first().fill('QQ')
    await page.getByText(/Illegal value\. Such as .*\(/).waitFor()
    // What nobody has filled in yet is told when it is saved.
    expect(await page.getByText(/required/).count()).toBe(0)
  })

  it('show titles in the language that was chosen, and names where the mouse rests and for those who want them', async () => {
    await at('/EN/grid/customers', '100000')
    expect(await namesShown(page, names)).toEqual([])
    const choose = async (item: string) => {
      await page.getByRole('button', { name: /^(?:Account of|Benutzerkonto von)/ }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Deutsch')
    await page.getByRole('grid', { name: 'Zeilen: Kunden' }).waitFor()
    const heading = page.getByRole('columnheader', { name: 'Kundenname' })
    await heading.getByTitle('customerName').waitFor({ state: 'attached' })
    await expect.poll(shown).toContain('Hauptbuch')
    await choose('Titel mit technischen Namen')
    await page.getByRole('columnheader', { name: 'Kundenname customerName' }).waitFor()
    expect(await namesShown(page, names)).toContain('customerName')
    // In each browser of the person, until he or she chooses otherwise.
    const other = await browser.open()
    await other.goto(`${browser.demo.address}/console/EN/grid/customers`)
    await other.getByRole('columnheader', { name: 'Kundenname customerName' }).waitFor()
    await other.context().close()
    await choose('Nur Titel')
    await heading.waitFor()
    await choose('Wie der Browser')
    await page.getByRole('grid', { name: 'Rows of Customers' }).waitFor()
    expect(browser.told).toEqual([])
    await page.context().close()
  })

  it('show moments in the zone of the reader, and take them so', async () => {
    const reader = await browser.open({ timezoneId: 'Asia/Kolkata' })
    await reader.goto(`${browser.demo.address}/console/EN/record/customers/100001`)
    const moment = reader.getByRole('region', { name: 'Timeline' }).getByRole('time').first()
    const instant = new Date((await moment.getAttribute('datetime')) ?? '')
    const told = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Kolkata',
      dateStyle: 'short',
      timeStyle: 'medium',
    }).format(instant)
    expect(await moment.textContent()).toBe(told)
    await reader.getByRole('list', { name: 'Contact points' }).getByText('1 General').waitFor()
    const past = reader.getByLabel('As it was on')
    await past.fill('31/01/2026, 05:00')
    await reader.waitForURL(/asOf=2026-01-30T23%3A30%3A00Z/)
    await past.fill('31/01/2026')
    await reader.waitForURL(/asOf=2026-01-30T18%3A30%3A00Z/)
    await past.blur()
    expect(await past.inputValue()).toBe('31/01/2026, 00:00:00')
    await reader.context().close()
  })

  const journeyIn = async (language: Language) => {
    const [words, said] = WORDS.map(
      (folder) => JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Record<string, string>,
    ) as [Record<string, string>, Record<string, string>]
    const all = { ...said, ...words }
    // The demo has a type of contact points that is called General.
    const isNoData = (key: string) => key !== 'General' && !/\{\{|_(?:one|other)$/.test(key)
    const english = Object.keys(all).filter((key) => all[key] !== key && isNoData(key))
    const reader = await browser.open({ locale: LOCALES[language] })
    const expectNoEnglish = async () => {
      const text = await reader.evaluate<string>('document.body.innerText')
      const lines = new Set(text.split('\n').map((line) => line.trim()))
      expect(english.filter((key) => lines.has(key) || (key.split(' ').length > 3 && text.includes(key)))).toEqual([])
      const shownWords = new Set(text.match(/\w+/g))
      expect(names.filter((name) => shownWords.has(name))).toEqual([])
    }
    for (const [path, key] of READ_PAGES) {
      await reader.goto(`${browser.demo.address}/console${path}`)
      await reader
        .getByRole('main')
        .getByText(words[key] ?? key, { exact: true })
        .first()
        .waitFor()
      // What is still to come says so.
      await expect.poll(() => reader.locator('[aria-busy=true]').count()).toBe(0)
      await expectNoEnglish()
    }
    // What the service finds stands at its field.
    await reader
      .getByLabel(/^Land(?: \*)?$/)
      .first()
      .fill('QQ')
    await reader.getByText(said['Illegal value.'] ?? '').waitFor()
    await expectNoEnglish()
    expect(await reader.getAttribute('html', 'lang')).toBe(language)
    await reader.context().close()
  }

  it('show nothing in English to readers of German', () => journeyIn('de'))

  longIt.each(['nb', 'sv'] as const)('show nothing in English to readers of %s', journeyIn)
})

const numberIn = (text: string): number => Number(text.replace(/[^\d.-]/g, ''))
