// The console of a company that is a mirror: its page, what stands beside its records, and no button that writes.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WatchedBrowser } from '../support/console.ts'
import { PHONE } from '../support/console-hands.ts'
import { type MirrorWorld, PERSON, startMirror } from '../support/mirror.ts'
import { IS_LONG, longIt } from '../support/reliability-test.ts'
import { listen } from '../support/uploads.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const BOTH_LOOKS: readonly BrowserContextOptions[] = [{ colorScheme: 'light' }, { colorScheme: 'dark', ...PHONE }]
const LOOKS = IS_LONG ? BOTH_LOOKS : BOTH_LOOKS.slice(1)
/** Who may write customers, were they written here. */
const writer = (setup: string) => setup.replace(/customers:\n\s+- read/, 'customers: [read, create, update, delete]')

describe.skipIf(!isInstalled)('The console of a mirror', () => {
  let mirror: MirrorWorld
  let address: string
  let browser: WatchedBrowser
  let cookies: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>['cookies']

  beforeAll(async () => {
    mirror = await startMirror('sqlite', { change: writer })
    address = await listen(mirror.world)
    await mirror.loaded()
    browser = await openBrowser(address)
    const page = await browser.empty()
    await page.goto(`${address}/`)
    await page.getByLabel('User').fill(PERSON.user)
    await page.locator('input[type=password]').fill(PERSON.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Company EN' }).waitFor()
    cookies = (await page.context().storageState()).cookies
    await page.context().close()
  })
  afterAll(async () => {
    await browser?.close()
    await mirror?.stop()
  })

  const open = async (path: string, look: BrowserContextOptions = {}) => {
    const page = await browser.empty({ ...look, storageState: { cookies, origins: [] } })
    await page.goto(`${address}/console${path}`)
    return page
  }
  const row = (page: Page, title: string) => page.getByRole('row', { name: new RegExp(`^${title}`) })
  /** The page as it is while the document is in another state. */
  const changed = (page: Page, name: string, members: object) =>
    page.route('**/v1/mirror?*', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { documents: { name: string }[] }
      const documents = body.documents.map((one) => (one.name === name ? { ...one, ...members } : one))
      await route.fulfill({ response: answer, json: { ...body, documents } })
    })

  it.each(LOOKS)('shows each document, how old it is and the load on the source, %o', async (look) => {
    const page = await open('/EN/mirror', look)
    await page.getByRole('status').filter({ hasText: 'Everything that the source had' }).waitFor()
    await page.getByText(`Filled from ${mirror.url}`).waitFor()
    await expect.poll(() => page.locator('tbody').count()).toBe(mirror.names.length)
    const rows = String(mirror.erp.count('customers'))
    const cells = () => row(page, 'Customers').getByRole('cell').allTextContents()
    const isAgo = expect.stringMatching(/^just now$| ago$/)
    await expect.poll(async () => (await cells()).slice(0, 3)).toEqual([rows, rows, isAgo])
    await page.getByText(/^[\d,]+ of 500,000$/).waitFor()
    expect(await page.locator('body').evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    await page.context().close()
  })

  it.each(LOOKS)('leads to what could not be kept, member by member, %o', async (look) => {
    const key = { customerId: '100003' }
    const invoice = mirror.erp.find('customers', key)?.invoice as { creditLimit: number }
    mirror.erp.change('customers', key, { invoice: { ...invoice, creditLimit: 'as much as he likes' } })
    await mirror.until('it is told', async () => (await mirror.status('customers')).misfits === 1)
    const page = await open('/EN/mirror', look)
    await page.getByRole('link', { name: '1 record could not be kept as it came' }).click()
    await page.getByRole('heading', { level: 1, name: 'Customers: not kept as it came' }).waitFor()
    const told = row(page, '100003')
    await told.getByText('Invoicing / Credit limit').waitFor()
    expect(await told.textContent()).toContain('as much as he likes')
    const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    await told.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: "O'Brien & Co 3" }).waitFor()
    await page.context().close()
    mirror.erp.change('customers', key, { invoice })
  })

  it('shows how far a document is while it is loaded, and its records when all are there', async () => {
    const state = { phase: 'loading', rows: 30, sourceRows: 120 }
    const page = await browser.empty({ storageState: { cookies, origins: [] } })
    await changed(page, 'purchase-orders', state)
    let isLoading = true
    await page.route('**/v2/objects/purchase-orders?*', (route) =>
      isLoading && !route.request().headers().accept?.includes('schema')
        ? route.fulfill({ status: 503, json: { code: 1, message: 'still being loaded' } })
        : route.continue(),
    )
    await page.goto(`${address}/console/EN/mirror`)
    const bar = page.getByRole('progressbar', { name: 'Purchase orders, loaded' })
    await bar.waitFor()
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['30', '120'])
    await page
      .getByText(`Loading: ${mirror.names.length - 1} of ${mirror.names.length} documents are complete.`)
      .waitFor()
    await row(page, 'Purchase orders').getByRole('link').click()
    await page.getByText('30 of 120 records are here so far').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    isLoading = false
    await page.unroute('**/v1/mirror?*')
    await page.getByText(`${mirror.erp.count('purchase-orders')} rows.`).waitFor()
    await page.context().close()
  })

  it('says in a sentence what is wrong, on its page and at home', async () => {
    const page = await browser.empty({ storageState: { cookies, origins: [] } })
    await changed(page, 'customers', { problem: 'customers: the source shows no record any more' })
    await page.goto(`${address}/console/EN`)
    await page.getByText('does not follow Customers').getByRole('link', { name: 'mirror' }).click()
    await page.getByText('The source shows no record any more', { exact: true }).waitFor()
    await page.getByText(`1 of ${mirror.names.length} documents is not followed at this moment.`).waitFor()
    await page.context().close()
  })

  longIt('offers what goes through where writes are forwarded', async () => {
    const page = await browser.empty({ storageState: { cookies, origins: [] } })
    await page.route('**/console/api/session', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { companies: { source: object }[] }
      const companies = body.companies.map((one) => ({ ...one, source: { ...one.source, writes: 'forward' } }))
      await route.fulfill({ response: answer, json: { ...body, companies } })
    })
    await page.goto(`${address}/console/EN/grid/customers`)
    await page.getByRole('link', { name: 'New customer', exact: true }).waitFor()
    await page.goto(`${address}/console/EN/record/customers/100003`)
    await page.getByRole('button', { name: 'Delete' }).waitFor()
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
    await page.goto(`${address}/console/EN/mirror`)
    await page.getByText('What is written here goes there.').waitFor()
    await page.context().close()
  })

  it('says of which moment records are, and has no button that writes', async () => {
    const page = await open('/EN/grid/customers')
    const note = page.getByText(/^As of .*\d\d:\d\d:\d\d, from/)
    await note.waitFor()
    expect(await note.textContent()).toContain(mirror.url)
    await page.goto(`${address}/console/EN/record/customers/100003`)
    await note.waitFor()
    await page.getByRole('button', { name: 'Copy curl' }).waitFor()
    for (const name of ['New', 'Edit', 'Delete']) {
      expect(await page.getByRole('button', { name }).or(page.getByRole('link', { name })).count(), name).toBe(0)
    }
    expect(browser.told).toEqual([])
    await page.context().close()
  })
})
