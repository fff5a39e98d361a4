// The console in a real browser, from a fresh demo: by the keyboard alone, by touch on a phone, and with a mouse; each
// page without a finding of WCAG 2.2 AA in light and dark; and nothing that the policy would have to refuse. `npm test`
// goes the three ways that touch most by the keyboard.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBrowser, startConsole } from '../support/console.ts'
import { PHONE, WAYS } from '../support/console-hands.ts'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'
import { countJourneys } from '../support/journeys/counted.ts'
import { IS_LONG } from '../support/reliability-test.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

const ALL_LOOKS = [
  ['light', {}],
  ['dark', PHONE],
  ['dark', {}],
  ['light', PHONE],
] as const
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** How wide the edge of a row is, in pixels with its border. */
const MARK_WIDTH = 33

describe.skipIf(!isInstalled)('The console', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await startConsole(2_000)
  })
  // Each journey begins as a person who has chosen nothing.
  afterEach(() => browser.forgetChoices())
  afterAll(() => browser?.stop())

  const at = (page: Page, path: string) => page.goto(`${browser.demo.address}/console${path}`)
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
  /** What the client of the demo is answered. */
  const asked = (path: string) => fetch(browser.demo.address + path, { headers: DEMO_AUTHORIZATION })
  const replaceByOthers = (customer: number, path: string, value: unknown) =>
    fetch(`${browser.demo.address}/v1/customers/${customer}?companyId=EN`, {
      method: 'PATCH',
      headers: { ...DEMO_AUTHORIZATION, 'content-type': 'application/json' },
      body: JSON.stringify([{ op: 'replace', path, value }]),
    })

  it('shows its first page, with plots, where the browser is in a language that does not exist', async () => {
    const page = await browser.open()
    await page.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix', configurable: true })",
    )
    await at(page, '/EN')
    await heading(page, 'Example Nordic AS').waitFor()
    await page
      .getByRole('img', { name: /as bars/ })
      .first()
      .waitFor()
    const values = page.getByRole('slider').first()
    await values.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => values.getAttribute('aria-valuenow')).toBe('0')
    expect(await values.getAttribute('aria-valuetext')).toMatch(/^\d{4}-\d\d: \d/)
    expect(browser.told).toEqual([])
    await page.context().close()
  })

  it('finds records, pages and actions by one search, and what was opened last', async () => {
    const page = await browser.open({ colorScheme: 'dark' })
    const options = page.locator('dialog').getByRole('option')
    const input = page.getByRole('combobox', { name: 'Search' })
    const found = page.locator('dialog [role=status]')
    await at(page, '/EN')
    await heading(page, 'Example Nordic AS').waitFor()
    await page.keyboard.press('Control+k')
    // Enter may come before the answer.
    await input.pressSequentially('solheim SLAK')
    await page.keyboard.press('Enter')
    await heading(page, 'Solheim Slakteri AS').waitFor()
    await page.keyboard.press('Control+k')
    await input.fill('edit')
    await expect.poll(() => options.first().textContent()).toBe('EditE')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    // Outside of inputs the letter does the same.
    await page.keyboard.press('e')
    await heading(page, /^Edit/).waitFor()
    await page.goBack()
    await heading(page, 'Solheim Slakteri AS').waitFor()
    await page.keyboard.press('/')
    await expect.poll(() => options.first().textContent()).toBe('Solheim Slakteri AS')
    await input.fill('solheim')
    await page
      .getByRole('option', { name: /Solheim Bakeri AS/ })
      .first()
      .waitFor()
    await expect.poll(() => found.textContent()).toMatch(/^\d+ results$/)
    // Not the name that programs have for the attribute.
    const value = page.getByRole('group', { name: 'Attribute values' }).getByRole('option').first()
    await expect.poll(() => value.textContent()).toContain('CustomerActive')
    await expect.poll(() => page.locator('dialog mark').first().textContent()).toBe('Solheim')
    const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    await input.fill('order')
    const line = page.getByRole('group', { name: 'General ledger' }).getByRole('option').first()
    expect(await line.getAttribute('href')).toMatch(/\/voucher\/general-ledger-transactions\/\d+$/)
    await input.fill('qqqq')
    await page.getByText('Nothing is found for qqqq').waitFor()
    await input.fill('new cust')
    await page.getByRole('option', { name: 'New customer' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await input.fill('new cust')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/new\/customers$/)
    await page.context().close()
  })

  describe.each(WAYS)('%s', (_way, hands) => {
    /** Each way has rows of its own to change. */
    const place = WAYS.findIndex(([, one]) => one === hands)
    const field = (page: Page, name: string) =>
      page
        .locator('input')
        .and(page.getByLabel(new RegExp(`^${name}( \\*)?$`)))
        .first()

    it('leads who opens the address to signing in, and back to the page that was asked for', async () => {
      const page = await browser.signIn(hands.look)
      await hands.press(page.getByRole('button', { name: /^Account of/ }))
      await hands.press(page.getByRole('menuitem', { name: 'Sign out' }))
      await page.getByRole('heading', { name: 'Tabularium' }).waitFor()
      await at(page, '/EN/grid/suppliers')
      await hands.write(page.getByLabel('User'), 'ingrid.solberg')
      await hands.write(page.locator('input[type=password]'), 'not the password')
      await hands.press(page.getByRole('button', { name: 'Sign in' }))
      expect(await page.getByRole('alert').textContent()).toContain('The user or the password is wrong.')
      await hands.write(page.locator('input[type=password]'), 'console-demo')
      await hands.press(page.getByRole('button', { name: 'Sign in' }))
      await heading(page, 'Suppliers').waitFor()
      expect(await page.evaluate('document.cookie')).toBe('')
      await page.context().close()
    })

    it.runIf(IS_LONG)('tells who opens it without https that it is needed, and sends no password then', async () => {
      const context = await browser.unwatched(hands.look)
      const sent: string[] = []
      await context.route('http://erp.example.com/**', async (route, request) => {
        sent.push(request.method())
        const url = request.url().replace('http://erp.example.com', browser.demo.address)
        await route.fulfill({ response: await route.fetch({ url }) })
      })
      const page = await context.newPage()
      await page.goto('http://erp.example.com/console/')
      expect(await page.getByRole('alert').textContent()).toContain('Signing in needs https, or localhost.')
      await hands.write(page.getByLabel('User'), 'ingrid.solberg')
      await hands.write(page.locator('input[type=password]'), 'console-demo')
      await page.keyboard.press('Enter')
      expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true)
      expect(await page.getByRole('button', { name: /^Look around as/ }).count()).toBe(0)
      expect(new Set(sent)).toEqual(new Set(['GET']))
      await context.close()
    })

    it.runIf(IS_LONG)('tells a browser that keeps no cookies that it has to', async () => {
      const context = await browser.unwatched(hands.look)
      await context.route('**/console/api/session', async (route, request) => {
        if (request.method() !== 'POST') return route.continue()
        const response = await route.fetch()
        const { 'set-cookie': _cookie, ...headers } = response.headers()
        await context.clearCookies()
        return route.fulfill({ response, headers })
      })
      const page = await context.newPage()
      await page.goto(`${browser.demo.address}/console/`)
      await hands.press(page.getByRole('button', { name: /^Look around as/ }))
      await page.getByRole('alert').waitFor()
      expect(await page.getByRole('alert').textContent()).toContain('The browser has not kept the session.')
      await context.close()
    })

    it.runIf(IS_LONG)('tells on its first page what was opened, and what has changed in what is followed', async () => {
      const page = await browser.open(hands.look)
      const [id, name] = [100_030 + place, `Followed ${place}`]
      await replaceByOthers(id, '/customerName', name)
      await at(page, `/EN/record/customers/${id}`)
      await heading(page, name).waitFor()
      await hands.press(page.getByRole('button', { name: 'Follow: Home tells what changes' }))
      await at(page, '/EN')
      const part = (title: string) => page.getByRole('region', { name: title })
      await part('What you follow').getByText('nothing new').waitFor()
      await part('What you did last').getByRole('link', { name }).waitFor()
      // In another browser of the person as well, which asks the feed while it is looked at.
      const other = await browser.open(hands.look)
      await at(other, '/EN')
      const followedThere = other.getByRole('region', { name: 'What you follow' })
      await followedThere.getByText('nothing new').waitFor()
      await replaceByOthers(id, '/aliasName', 'NEWS')
      await followedThere.getByText('1 change', { exact: true }).waitFor()
      await other.context().close()
      await part('What you follow').getByText('1 change', { exact: true }).waitFor()
      await hands.press(part('What you follow').getByRole('link', { name }))
      await heading(page, name).waitFor()
      await at(page, '/EN')
      await part('What you follow').getByText('nothing new').waitFor()
      await page.context().close()
    })

    it('finds, filters, orders and opens records, and saves what was changed', async () => {
      const page = await browser.open(hands.look)
      const isPhone = hands.look.isMobile === true
      await at(page, '/EN/grid/customers')
      await hands.press(page.getByRole('button', { name: 'As text' }))
      const text = page.getByLabel('Filter as text')
      await hands.write(text, "contryCode eq 'SE'")
      await page.keyboard.press('Enter')
      await page.getByText(/did you mean 'countryCode'/).waitFor()
      await hands.write(text, '')
      await page.keyboard.press('Enter')
      await hands.press(page.getByRole('button', { name: 'Add filter' }))
      await hands.write(page.getByRole('combobox', { name: 'Filter by' }), 'Countr')
      await hands.pick(page.getByRole('listbox').getByRole('option', { name: 'Country', exact: true }))
      await hands.write(page.getByRole('combobox', { name: 'Value' }), 'SE')
      await page.getByRole('option', { name: 'SE Sweden' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Country is SE Sweden' }).waitFor()
      await expect.poll(() => text.inputValue()).toBe("countryCode eq 'SE'")
      const grid = page.getByRole('grid')
      const cards = page.getByRole('region', { name: 'Rows of Customer' }).getByRole('listitem')
      if (isPhone) {
        await page.getByLabel('Order by').selectOption('customerId')
        await hands.press(page.getByRole('button', { name: 'Up' }))
      } else {
        await hands.press(grid.getByRole('button', { name: 'Customer number' }))
        await expect.poll(() => page.url()).toMatch(/orderBy=customerId$/)
        await hands.press(grid.getByRole('button', { name: /^Customer number/ }))
      }
      await expect.poll(() => page.url()).toContain('orderBy=customerId+desc')
      const select = '$select=customerId,customerName&$orderby=customerId desc'
      const rows = (await (
        await asked(`/v1/objects/customers?companyId=EN&$filter=countryCode eq 'SE'&${select}`)
      ).json()) as { customerId: string; customerName: string }[]
      const total = () =>
        isPhone
          ? cards.first().getAttribute('aria-setsize').then(Number)
          : grid.getAttribute('aria-rowcount').then((count) => Number(count) - 1)
      await expect.poll(total).toBe(rows.length)
      if (!isPhone) {
        await page.setViewportSize(PHONE.viewport)
        await cards.first().getByRole('link', { name: rows[0]?.customerName, exact: true }).waitFor()
        expect(await page.getByLabel('Order by').inputValue()).toBe('customerId')
        const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
        expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
        await page.setViewportSize({ width: 1280, height: 720 })
      }
      const { customerId = '', customerName = '' } = rows[1 + place] ?? {}
      const row = isPhone ? cards.nth(1 + place) : grid.locator(`[data-place="${1 + place}:0"]`)
      await row.getByText(customerId).waitFor()
      await hands.press(isPhone ? row.getByRole('link').first() : row)
      await heading(page, customerName).waitFor()
      await hands.press(page.getByRole('link', { name: 'Edit' }))
      await hands.write(page.getByLabel('Customer name'), `${customerName} <b>&\u202e`)
      await hands.save(page)
      await heading(page, /<b>&/).waitFor()
      const timeline = page.getByRole('region', { name: 'Timeline' })
      await timeline.getByRole('row', { name: /Customer name/ }).waitFor()
      expect(await timeline.textContent()).toContain('<b>&\\u{202E}')
      await expect.poll(() => timeline.textContent()).toContain('ingrid.solberg')
      await page.context().close()
    })

    it.runIf(IS_LONG)('shows members of groups and of lists as columns', async () => {
      const page = await browser.open(hands.look)
      const isPhone = hands.look.isMobile === true
      await at(page, "/EN/grid/customers?columns=customerId&filter=countryCode eq 'DK'")
      if (isPhone) await hands.press(page.getByRole('button', { name: 'More' }))
      await hands.press(page.getByRole('button', { name: 'Columns' }))
      for (const [group, member] of [
        ['Invoicing', 'Credit limit'],
        ['Contact points / Address', 'Place'],
        ['Relations', 'Related value'],
      ] as const) {
        await hands.press(page.getByRole('group', { name: group, exact: true }).getByLabel(member, { exact: true }))
      }
      const select = '$select=customerId,invoice/creditLimit,contactPoints(address/place),relatedValues(relatedValue)'
      const [row] = (await (
        await asked(`/v1/objects/customers?companyId=EN&$filter=countryCode eq 'DK'&$limit=1&${select}`)
      ).json()) as {
        contactPoints: { address: { place: string } }[]
        relatedValues: { relatedValue: string }[]
      }[]
      const card = page.getByRole('region', { name: 'Rows of Customer' }).getByRole('listitem').first()
      const cell = (column: number) =>
        isPhone ? card.locator('dd').nth(column - 1) : page.getByRole('grid').locator(`[data-place="0:${column}"]`)
      const places = row?.contactPoints.map(({ address }) => address.place).join(' · ') ?? ''
      await expect.poll(() => cell(2).textContent()).toBe(places)
      await expect.poll(() => cell(3).textContent()).toContain(row?.relatedValues[0]?.relatedValue)
      await page.context().close()
    })

    it('shows the findings of the service at their fields, and a conflict member by member', async () => {
      const page = await browser.open(hands.look)
      const id = 100_001 + place
      await at(page, `/EN/record/customers/${id}/edit`)
      await hands.write(field(page, 'Country'), 'QQ')
      await page.getByText('Illegal value.').first().waitFor()
      await hands.write(field(page, 'Country'), 'NO')
      await page.keyboard.press('Escape')
      await hands.write(field(page, 'Alias'), 'MINE')
      expect((await replaceByOthers(id, '/aliasName', 'THEIRS')).status).toBe(200)
      await hands.press(page.getByRole('button', { name: /^Save/ }))
      const conflicts = page.getByRole('alert', { name: 'Conflicts' })
      await hands.press(conflicts.getByLabel(/^Mine: MINE/))
      await hands.press(conflicts.getByRole('button', { name: 'Go on with these' }))
      await hands.press(page.getByRole('button', { name: /^Save/ }))
      await page.getByRole('region', { name: 'Timeline' }).waitFor()
      expect(await (await asked(`/v1/customers/${id}?companyId=EN`)).json()).toMatchObject({ aliasName: 'MINE' })
      await page.context().close()
    })

    it.runIf(IS_LONG)(
      'keeps what was typed when the session ends, and offers it after the person has signed in again',
      async () => {
        const page = await browser.signIn(hands.look)
        const id = 100_011 + place
        await at(page, `/EN/record/customers/${id}/edit`)
        await field(page, 'Alias').focus()
        await page.evaluate(`fetch('/console/api/session',
        { method: 'DELETE', headers: { 'x-requested-with': 'tabularium-console' } })`)
        // At once, because the page is left when the service is asked what it finds.
        await page.keyboard.insertText('KEPT')
        await hands.write(page.getByLabel('User'), 'ingrid.solberg')
        await hands.write(page.locator('input[type=password]'), 'console-demo')
        await hands.press(page.getByRole('button', { name: 'Sign in' }))
        const kept = page.getByRole('status', { name: 'Kept' })
        await kept.waitFor()
        expect(await field(page, 'Alias').inputValue()).not.toContain('KEPT')
        await hands.press(kept.getByRole('button', { name: 'Go on with it' }))
        await expect.poll(() => field(page, 'Alias').inputValue()).toContain('KEPT')
        await hands.save(page)
        await page.getByRole('region', { name: 'Timeline' }).waitFor()
        expect(await (await asked(`/v1/customers/${id}?companyId=EN`)).json()).toMatchObject({
          aliasName: expect.stringContaining('KEPT'),
        })
        await hands.press(page.getByRole('link', { name: 'Edit' }))
        await field(page, 'Alias').waitFor()
        expect(await kept.count()).toBe(0)
        await page.context().close()
      },
    )

    it.runIf(IS_LONG)(
      'prints a question, reads it back, and answers what the interface answers, errors as well',
      async () => {
        const page = await browser.open(hands.look)
        const question = '/v1/objects/customers?companyId=EN&$groupby=countryCode&$aggregate=count() as customers'
        await at(page, '/EN/query')
        await hands.write(page.getByLabel('Read a URL'), browser.demo.address + question)
        await expect.poll(() => page.getByLabel('Group by').inputValue()).toBe('countryCode')
        await hands.press(page.getByRole('button', { name: 'Ask', exact: true }))
        const answer = page.getByRole('region', { name: 'Answer' })
        const groups = (await (await asked(question)).json()) as unknown[]
        await answer.getByText(`${groups.length} rows`).waitFor()
        const filter = field(page, 'Filter')
        for (const [typed, offered] of [
          ['countryC', /^countryCode/],
          ['e', /^eq /],
          ["'S", /^'SE' Sweden/],
        ] as const) {
          await filter.pressSequentially(typed)
          await hands.pick(page.getByRole('option', { name: offered }))
        }
        await expect.poll(() => filter.inputValue()).toBe("countryCode eq 'SE' ")
        await page.keyboard.press('Escape')
        await hands.write(filter, '')
        await hands.write(page.getByLabel('Group by'), 'contryCode')
        await hands.press(page.getByRole('button', { name: 'Ask', exact: true }))
        await answer.getByText(/did you mean 'countryCode'/).waitFor()
        await page.context().close()
      },
    )

    it.runIf(IS_LONG)('shows an administrator what a client sees, without a way to change it', async () => {
      const page = await browser.open(hands.look)
      await at(page, '/account')
      await hands.write(page.getByLabel('Client id'), 'no-such')
      await page.keyboard.press('Enter')
      await page.getByText('There is no such client').waitFor()
      await hands.write(page.getByLabel('Client id'), 'demo-sverige')
      await page.keyboard.press('Enter')
      const banner = page.getByRole('complementary', { name: 'Seeing as another' })
      await banner.getByText('demo-sverige').waitFor()
      await heading(page, 'Example Svenska AB').waitFor()
      await at(page, '/SV/grid/customers')
      // A phone shows cards.
      await page.getByRole('grid').or(page.getByLabel('Rows of Customers')).first().waitFor()
      await at(page, '/EN/record/customers/100002')
      await heading(page, /./).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
      expect(await page.textContent('main')).not.toContain('Solheim')
      await hands.press(banner.getByRole('button', { name: 'Back to yourself' }))
      await heading(page, 'Example Nordic AS').waitFor()
      await page.context().close()
    })
  })

  it('takes in customers of a foreign spreadsheet, mended where they are wrong, and takes them back', async () => {
    const page = await browser.open()
    await at(page, '/EN/grid/customers')
    await page.getByRole('link', { name: 'Import' }).click()
    const rows = [
      'Nordlys Bakeri AS;Norge;FOOD;12.500,50;Bod\u00f8;WEST',
      ';Norge;FOOD;1,00;Oslo;WEST',
      'Tr\u00e6l DA;NO;NONE;;Os;WEST',
    ]
    const text = `Navn;Land;Kundegruppe;Kredittgrense;Sted;Leveringssone\r\n${rows.join('\r\n')}\r\n`
    const file = { name: 'kunder.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') }
    await page.getByLabel('File to be imported').setInputFiles(file)
    const reading = page.getByRole('region', { name: 'How the file is read' })
    expect(await reading.getByLabel('Letters').locator('option').first().textContent()).toContain('Windows-1252')
    await page.getByRole('combobox', { name: 'Legal entity' }).fill('NO1')
    await page.getByRole('button', { name: 'Check the rows' }).click()
    const unknown = page.getByRole('region', { name: 'Values that are not known' })
    await unknown.getByRole('combobox', { name: 'Country in the place of Norge' }).fill('NO')
    await unknown.getByRole('button', { name: 'Replace' }).first().click()
    await page.getByText('2 rows have something to mend and are left out.').waitFor()
    await page.getByLabel('Customer name of row 2').fill('M\u00f8re Fisk AS')
    await page.getByLabel('Customer group of row 3').fill('FOOD')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing is wrong with any row.').waitFor()
    await page.getByRole('button', { name: 'Load 3 rows' }).click()
    await page.getByText('3 records were added.').waitFor()
    const found =
      "/v1/objects/customers?companyId=EN&$filter=customerName in ('Nordlys Bakeri AS','M\u00f8re Fisk AS','Tr\u00e6l DA')"
    const customers = async () => (await (await asked(encodeURI(found))).json()) as Record<string, unknown>[]
    expect(await customers()).toMatchObject([{ invoice: { creditLimit: 12500.5 } }, {}, {}])
    await page.getByRole('button', { name: 'Undo this import' }).click()
    await page.getByText('3 records were taken back.').waitFor()
    await page.context().close()
  })

  it('copies, compares and changes the rows that are marked', async () => {
    const page = await browser.open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await at(page, '/EN/grid/customers?columns=customerId,customerName')
    const cell = (place: string) => page.locator(`[data-place="${place}"]`)
    await cell('0:1').focus()
    for (const key of ['Space', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowUp'])
      await page.keyboard.press(key)
    await page.locator('[aria-rowindex="8"]').click({ position: { x: 12, y: 12 } })
    const marked = page.getByRole('row', { selected: true })
    await page.getByText('4 rows are marked.').waitFor()
    const names = await marked.locator('[data-place$=":1"]').allTextContents()
    await cell('6:1').focus()
    await page.keyboard.press('Control+c')
    await page.getByText('4 rows were copied.').waitFor()
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string
    expect(copied.split('\n')[0]).toBe('"Customer number"\t"Customer name"')
    expect(copied.split('\n').slice(1)).toEqual(names.map((name) => expect.stringContaining(`\t"${name}"`)))
    await page.getByRole('button', { name: 'Compare' }).click()
    const compared = page.getByRole('dialog', { name: 'Compare' })
    await compared.getByRole('row', { name: /^Customer name / }).waitFor()
    expect(await compared.getByRole('columnheader').count()).toBe(4)
    expect((await new AxeBuilder({ page }).withTags(WCAG).analyze()).violations).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Change\u2026' }).click()
    await page.getByText('4 rows.').waitFor()
    await page.goBack()
    await cell('0:1').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await marked.first().waitFor({ state: 'detached' })
    await page.context().close()
  })

  it.runIf(IS_LONG)('moves and sizes columns by dragging and by keys, and keeps them', async () => {
    const page = await browser.open()
    await at(page, '/EN/grid/customers')
    const grid = page.getByRole('grid')
    const heading = (column: number) => grid.locator(`[data-heading="${column}"]`)
    const columns = () => new URL(page.url()).searchParams.get('columns')
    const drag = async (from: number, x: number, to: number) => {
      const [start, end] = [await heading(from).boundingBox(), await heading(to).boundingBox()]
      await page.mouse.move((start?.x ?? 0) + x, (start?.y ?? 0) + 9)
      await page.mouse.down()
      await page.mouse.move((end?.x ?? 0) + 20, (end?.y ?? 0) + 9, { steps: 4 })
      await page.mouse.up()
    }
    await heading(2).waitFor()
    await drag(2, 30, 0)
    await expect.poll(columns).toMatch(/^companyRegistrationNumber,customerId,customerName,/)
    expect(page.url()).not.toContain('orderBy')
    const width = (await heading(1).boundingBox())?.width ?? 0
    await drag(1, width - 3, 2)
    await expect.poll(columns).toMatch(/,customerId:\d+\.\d,customerName,/)
    // As wide as the heading, which is longer than each number.
    const ofKey = () => Number(/,customerId:([\d.]+),/.exec(columns() ?? '')?.[1])
    const dragged = ofKey()
    await heading(1).locator('span').last().dblclick()
    await expect.poll(ofKey).toBeLessThan(dragged)
    const isWhole = `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('[data-heading="1"] button'))`
    await expect.poll(() => page.evaluate(isWhole)).toBe(true)
    await grid.getByRole('button', { name: 'Customer name' }).focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(columns).toMatch(/^companyRegistrationNumber,customerName,/)
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Customer name')
    await page.keyboard.press('Alt+ArrowRight')
    await expect.poll(columns).toMatch(/,customerName:17,/)
    await page.keyboard.press('Enter')
    await grid.getByRole('button', { name: 'Country' }).click({ modifiers: ['Shift'] })
    await expect.poll(() => page.url()).toContain('orderBy=customerName%2CcountryCode')
    expect(await grid.locator('[aria-sort=ascending]').count()).toBe(1)
    const kept = columns()
    await at(page, '/EN/grid/customers')
    await expect.poll(() => heading(1).textContent()).toContain('Customer name')
    await grid.getByRole('button', { name: 'Country' }).click()
    await expect.poll(columns).toBe(kept)
    await page.evaluate("document.querySelector('[role=grid]').scrollLeft = 600")
    // Beside the edge where rows are marked.
    const fromEdge = async () => {
      const [key, frame] = [await heading(2).boundingBox(), await grid.boundingBox()]
      return Math.abs((key?.x ?? 0) - (frame?.x ?? -9) - MARK_WIDTH)
    }
    await expect.poll(fromEdge).toBeLessThanOrEqual(1)
    await page.context().close()
  })

  it.runIf(IS_LONG)('filters by a cell, sums, keeps views, and prints all rows', async () => {
    const page = await browser.open()
    await at(page, '/EN/grid/customers')
    const countries = page.getByRole('grid').locator('[data-place$=":3"]')
    const place = await countries.filter({ hasText: /^SE / }).first().getAttribute('data-place')
    const cell = page.getByRole('grid').locator(`[data-place="${place}"]`)
    const filter = () => new URL(page.url()).searchParams.get('filter')
    const beside = async (name: string) => {
      const { x = 0, y = 0 } = (await cell.boundingBox()) ?? {}
      await page.mouse.move(x + 30, y + 9)
      await page.mouse.move(x + 32, y + 11)
      await page.getByRole('button', { name, exact: true }).click()
    }
    await cell.getByText('SE').waitFor()
    await beside('Not this')
    await expect.poll(filter).toBe("countryCode ne 'SE'")
    await expect.poll(() => cell.textContent()).not.toContain('SE')
    await cell.focus()
    await page.keyboard.press('=')
    await expect.poll(filter).toBe("countryCode eq 'NO'")
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByLabel('Sum of Credit limit').check()
    await page.keyboard.press('Escape')
    const [groups] = (await (
      await asked(
        "/v1/objects/customers?companyId=EN&$filter=countryCode eq 'NO'&$aggregate=sum(invoice/creditLimit) as sum",
      )
    ).json()) as [{ sum: number }]
    const digits = (text: string | null) => Number(text?.replace(/[^\d.]/g, ''))
    await expect.poll(async () => digits(await page.getByRole('row').last().textContent())).toBe(groups.sum)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByLabel('Save this view as').fill('In Norway')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'All rows' }).click()
    await expect.poll(filter).toBeNull()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'In Norway', exact: true }).click()
    await expect.poll(filter).toBe("countryCode eq 'NO'")
    await page.evaluate('window.print = () => { window.printed = true }')
    await page.keyboard.press('Control+p')
    await expect.poll(() => page.evaluate('window.printed')).toBe(true)
    await page.emulateMedia({ media: 'print' })
    const rows = Number(await page.locator('[role=grid]').getAttribute('aria-rowcount')) - 2
    expect(await page.locator('main tbody tr').count()).toBe(rows + 1)
    expect(await page.getByRole('button').allTextContents()).toEqual([expect.stringContaining('Country is NO')])
    await page.context().close()
  })

  it.runIf(IS_LONG)('leads Tab into the rows that are seen, wherever they were scrolled to', async () => {
    const page = await browser.open()
    await at(page, '/EN/grid/customers')
    const grid = page.getByRole('grid')
    const reached = grid.locator('[role=gridcell][tabindex="0"]')
    expect(await reached.getAttribute('data-place')).toBe('0:0')
    await page.evaluate("document.querySelector('[role=grid]').scrollTop = 20000")
    await expect.poll(() => reached.getAttribute('data-place')).toMatch(/^[5-9]\d\d:0$/)
    await reached.focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.locator(':focus').getAttribute('data-place')).toMatch(/^[5-9]\d\d:0$/)
    await page.context().close()
  })

  it.runIf(IS_LONG).each(ALL_LOOKS)(
    'has no finding of WCAG 2.2 AA in %s %j, and fits its window',
    async (colorScheme, size) => {
      const page = await browser.open({ colorScheme, ...size })
      const pages = [
        ['/EN', 'Example Nordic AS'],
        ['/EN/grid/customers', 'Customers'],
        ['/EN/record/customers/100002', /./],
        ['/EN/record/customers/100002/edit', /Edit/],
        ['/EN/query?url=%2Fv1%2Fobjects%2Fcustomers%3F%24limit%3D3', 'Ask'],
        ['/EN/balances/general-ledger-transactions', 'Balances of general ledger'],
        ['/EN/voucher/general-ledger-transactions/26000001', /26000001/],
        ['/account', 'Sessions'],
      ] as const
      for (const [path, name] of pages) {
        await at(page, path)
        await heading(page, name).waitFor()
        await page.waitForLoadState('networkidle')
        if (path === '/account') await page.getByRole('button', { name: /^Account of/ }).click()
        const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
        const found = violations.map(({ id, nodes }) => `${path} ${id}: ${nodes.map(({ html }) => html.slice(0, 120))}`)
        expect(found).toEqual([])
        expect([path, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([path, true])
      }
      await page.context().close()
    },
  )

  it('lets an administrator add a person, who signs in with the password that is shown once', async () => {
    const page = await browser.open()
    await at(page, '/service')
    await page.getByRole('button', { name: 'New person' }).click()
    await page.getByLabel('Name').fill('Anna Lie')
    await page.getByLabel(/^Signs in as/).fill('anna.lie')
    await page.getByRole('group', { name: 'Example Nordic AS' }).getByLabel('reader').check()
    await page.getByRole('button', { name: 'Add the person' }).click()
    const password = (await page.getByLabel('Secret').textContent()) ?? ''
    await page.keyboard.press('Escape')
    await page.getByRole('article', { name: 'Anna Lie' }).getByText('Example Nordic AS: reader').waitFor()
    expect((await new AxeBuilder({ page }).withTags(WCAG).analyze()).violations).toEqual([])
    await page.context().close()
    const anna = await (await browser.unwatched()).newPage()
    await at(anna, '/')
    await anna.getByLabel('User').fill('anna.lie')
    await anna.locator('input[type=password]').fill(password)
    await anna.getByRole('button', { name: 'Sign in' }).click()
    await heading(anna, 'Example Nordic AS').waitFor()
    expect(await anna.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    await anna.context().close()
  })

  countJourneys(() => browser)

  it('asked no other host in all this, and nothing that its policy refuses', () => {
    expect(browser.told).toEqual([])
  })
})
