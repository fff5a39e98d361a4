// The page of every endpoint in a real browser: the viewer shows an operation and sends a request with a token, asks no
// other host and needs nothing that the policy refuses.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBrowser, startConsole } from '../support/console.ts'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))
/** The viewer reads a description of a megabyte, also on a busy machine. */
const PATIENCE = { timeout: 90_000 }

describe.skipIf(!isInstalled)('The page of every endpoint', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await startConsole(200)
  })
  afterAll(() => browser?.stop())

  it('shows an operation that its address names, and sends a request with a token, by the keyboard', async () => {
    const { access_token } = (await (
      await fetch(`${browser.demo.address}/oauth/token`, {
        method: 'POST',
        headers: DEMO_AUTHORIZATION,
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
    ).json()) as { access_token: string }
    const page = await browser.open({ viewport: { width: 360, height: 800 } })
    const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().press('Enter')
    await page.goto(`${browser.demo.address}/docs/api#/Customers/readCustomer`)
    await page.getByRole('button', { name: 'Try it out' }).waitFor(PATIENCE)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)

    await press('Authorize')
    await page.getByLabel('auth-bearer-value').fill(access_token)
    await press('Apply credentials')
    await press('Close')
    await press('Try it out')
    await page.getByPlaceholder('customerId').fill('100000')
    const [sent] = await Promise.all([page.waitForResponse(/\/v1\/customers\/100000/, PATIENCE), press('Execute')])
    expect([sent.status(), await sent.request().headerValue('authorization')]).toEqual([200, `Bearer ${access_token}`])
    await page.locator('.live-responses-table').getByText('"customerId"').first().waitFor(PATIENCE)
    expect(browser.told).toEqual([])
    await page.context().close()
  })
})
