// The console in a real browser, from a fresh demo: with a mouse, by the keyboard alone, and on a phone; each page
// without a finding of WCAG 2.2 AA in light and dark; and nothing that the policy would have to refuse.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBrowser, startConsole } from '../support/console.ts'
import { IS_FULL } from '../support/reliability-test.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

const PHONE = { viewport: { width: 390, height: 844 } }
/** Each colour and each size once; all four with RELIABILITY=full. */
const LOOKS = [
  ['light', {}],
  ['dark', PHONE],
] as const
const ALL_LOOKS = [...LOOKS, ['dark', {}], ['light', PHONE]] as const
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

describe.skipIf(!isInstalled)('The console', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await startConsole(2_000)
  }, 120_000)
  afterAll(() => browser?.stop())

  const at = (page: Page, path: string) => page.goto(`${browser.demo.address}/console${path}`)
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
  /** What the client of the demo is answered. */
  const asked = async (path: string) => {
    const headers = { authorization: `Basic ${Buffer.from('demo:demo-secret').toString('base64')}` }
    return fetch(browser.demo.address + path, { headers })
  }

  it('leads who opens the address to signing in, and back to the page that was asked for', async () => {
    const page = await browser.open()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Tabularium' }).waitFor()
    await at(page, '/EN/grid/suppliers')
    await page.getByLabel('User').fill('ingrid.solberg')
    await page.locator('input[type=password]').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('The user or the password is wrong.')
    await page.locator('input[type=password]').fill('console-demo')
    await page.keyboard.press('Enter')
    await heading(page, 'Suppliers').waitFor()
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.context().close()
  })

  it('tells who opens it without https that it is needed, and sends no password then', async () => {
    const context = await browser.unwatched()
    const sent: string[] = []
    await context.route('http://erp.example.com/**', async (route, request) => {
      sent.push(request.method())
      const url = request.url().replace('http://erp.example.com', browser.demo.address)
      await route.fulfill({ response: await route.fetch({ url }) })
    })
    const page = await context.newPage()
    await page.goto('http://erp.example.com/console/')
    expect(await page.getByRole('alert').textContent()).toContain('Signing in needs https, or localhost.')
    await page.getByLabel('User').fill('ingrid.solberg')
    await page.locator('input[type=password]').fill('console-demo')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^Look around as/ }).count()).toBe(0)
    expect(new Set(sent)).toEqual(new Set(['GET']))
    await context.close()
  })

  it('tells a browser that keeps no cookies that it has to', async () => {
    const context = await browser.unwatched()
    await context.route('**/console/api/session', async (route, request) => {
      if (request.method() !== 'POST') return route.continue()
      const response = await route.fetch()
      const { 'set-cookie': _cookie, ...headers } = response.headers()
      await context.clearCookies()
      return route.fulfill({ response, headers })
    })
    const page = await context.newPage()
    await page.goto(`${browser.demo.address}/console/`)
    await page.getByRole('button', { name: /^Look around as/ }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('The browser has not kept the session.')
    await context.close()
  })

  it('counts on its first page what the interface counts', async () => {
    const page = await browser.open()
    const counts = page.getByRole('list', { name: 'Records by document' })
    for (const [name, path] of [
      ['Customers', '/v1/objects/customers?companyId=EN'],
      ['Employees', '/v1/objects/employees?companyId=EN'],
    ] as const) {
      const { headers } = await asked(path)
      const count = Number(headers.get('x-erp-total-count') ?? ((await (await asked(path)).json()) as unknown[]).length)
      const shown = counts.getByRole('link', { name })
      await expect.poll(async () => Number((await shown.textContent())?.replace(/\D/g, ''))).toBe(count)
    }
    await page.context().close()
  })

  it('finds, filters, orders and opens records by the keyboard alone, and saves what was changed', async () => {
    const page = await browser.open()
    await at(page, '/EN/grid/customers')
    await page.getByRole('grid').waitFor()
    await page.getByLabel('Filter').fill("contryCode eq 'SE'")
    await page.keyboard.press('Enter')
    await page.getByText(/did you mean 'countryCode'/).waitFor()
    await page.getByLabel('Filter').fill('')
    await page.keyboard.type("countryCode eq 'SE'")
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('filter=')
    const rows = (await (
      await asked("/v1/objects/customers?companyId=EN&$filter=countryCode eq 'SE'&$select=customerId,customerName")
    ).json()) as { customerId: string; customerName: string }[]
    const grid = page.getByRole('grid')
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(rows.length + 1))
    const [, second] = rows
    await grid.getByText(second?.customerName ?? '').waitFor()
    await grid.locator('[data-place="0:0"]').focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate('document.activeElement.dataset.place')).toBe('1:0')
    await page.keyboard.press('Enter')
    await heading(page, second?.customerName ?? '').waitFor()
    await page.getByRole('link', { name: 'Edit' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('customerName').focus()
    await page.keyboard.press('End')
    await page.keyboard.type(' <b>&\u202e')
    await page.keyboard.press('Control+s')
    await heading(page, /<b>&/).waitFor()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByRole('row', { name: /customerName/ }).waitFor()
    expect(await timeline.textContent()).toContain('<b>&\\u{202E}')
    expect(await timeline.textContent()).toContain('ingrid.solberg')
    await page.context().close()
  })

  it('shows the findings of the service at their fields, and a conflict member by member', async () => {
    const page = await browser.open()
    await at(page, '/EN/record/customers/100001/edit')
    await page
      .locator('input')
      .and(page.getByLabel('countryCode', { exact: true }))
      .first()
      .fill('QQ')
    await page.getByText('Illegal value.').first().waitFor()
    await page
      .locator('input')
      .and(page.getByLabel('countryCode', { exact: true }))
      .first()
      .fill('NO')
    await page
      .locator('input')
      .and(page.getByLabel('aliasName', { exact: true }))
      .fill('MINE')
    const address = `${browser.demo.address}/v1/customers/100001?companyId=EN`
    const headers = {
      authorization: `Basic ${Buffer.from('demo:demo-secret').toString('base64')}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify([{ op: 'replace', path: '/aliasName', value: 'THEIRS' }])
    expect((await fetch(address, { method: 'PATCH', headers, body })).status).toBe(200)
    await page.getByRole('button', { name: /^Save/ }).click()
    const conflicts = page.getByRole('alert', { name: 'Conflicts' })
    await conflicts.getByLabel(/^Mine: MINE/).check()
    await conflicts.getByRole('button', { name: 'Go on with these' }).click()
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    expect(await (await fetch(address, { headers })).json()).toMatchObject({ aliasName: 'MINE' })
    await page.context().close()
  })

  it('prints a question, reads it back, and answers what the interface answers, errors as well', async () => {
    const page = await browser.open()
    const question = '/v1/objects/customers?companyId=EN&$groupby=countryCode&$aggregate=count() as customers'
    await at(page, '/EN/query')
    await page.getByLabel('Read a URL').fill(browser.demo.address + question)
    expect(await page.getByLabel('Group by').inputValue()).toBe('countryCode')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    const answer = page.getByRole('region', { name: 'Answer' })
    const groups = (await (await asked(question)).json()) as unknown[]
    await answer.getByText(`${groups.length} rows`).waitFor()
    const filter = page
      .locator('input')
      .and(page.getByLabel('Filter', { exact: true }))
      .first()
    await filter.focus()
    for (const [typed, offered] of [
      ['countryC', /^countryCode/],
      ['e', /^eq /],
      ["'S", /^'SE' Sweden/],
    ] as const) {
      await page.keyboard.type(typed)
      await page.getByRole('option', { name: offered }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    expect(await filter.inputValue()).toBe("countryCode eq 'SE' ")
    await page.keyboard.press('Escape')
    await filter.fill('')
    await page.getByLabel('Group by').fill('contryCode')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await answer.getByText(/did you mean 'countryCode'/).waitFor()
    await page.context().close()
  })

  it('shows an administrator what a client sees, without a way to change it', async () => {
    const page = await browser.open()
    await at(page, '/account')
    await page.getByLabel('Client id').fill('no-such')
    await page.keyboard.press('Enter')
    await page.getByText('There is no such client').waitFor()
    await page.getByLabel('Client id').fill('demo-sverige')
    await page.keyboard.press('Enter')
    const banner = page.getByRole('complementary', { name: 'Seeing as another' })
    await banner.getByText('demo-sverige').waitFor()
    await heading(page, 'Example Svenska AB').waitFor()
    await at(page, '/SV/grid/customers')
    await page.getByRole('grid').waitFor()
    await at(page, '/EN/record/customers/100002')
    await heading(page, /./).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
    expect(await page.textContent('main')).not.toContain('Solheim')
    await banner.getByRole('button', { name: 'Back to yourself' }).click()
    await heading(page, 'Example Nordic AS').waitFor()
    await page.context().close()
  })

  it.each(IS_FULL ? ALL_LOOKS : LOOKS)(
    'has no finding of WCAG 2.2 AA in %s %j, and fits its window',
    async (colorScheme, size) => {
      const page = await browser.open({ colorScheme, ...size })
      const pages = [
        ['/EN', 'Example Nordic AS'],
        ['/EN/grid/customers', 'Customers'],
        ['/EN/record/customers/100002', /./],
        ['/EN/record/customers/100002/edit', /Edit/],
        ['/EN/query?url=%2Fv1%2Fobjects%2Fcustomers%3F%24limit%3D3', 'Ask'],
        ['/account', 'Sessions'],
      ] as const
      for (const [path, name] of pages) {
        await at(page, path)
        await heading(page, name).waitFor()
        await page.waitForLoadState('networkidle')
        const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
        const found = violations.map(({ id, nodes }) => `${path} ${id}: ${nodes.map(({ html }) => html.slice(0, 120))}`)
        expect(found).toEqual([])
        expect([path, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([path, true])
      }
      await page.context().close()
    },
  )

  it('asked no other host in all this, and nothing that its policy refuses', () => {
    expect(browser.told).toEqual([])
  })
})
