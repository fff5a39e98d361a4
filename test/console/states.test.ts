// What may become of a record, as buttons of its page: a person approves an order, and is told what is missing.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, PASSWORD_HASH } from '../support/passwords.ts'
import { call, type Folder, kill, type Serving, serve, temporaryFolder } from '../support/process.ts'
import { CLIENT_SECRET } from '../support/world.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

describe.skipIf(!isInstalled)('The states of a record in the console', () => {
  let folder: Folder
  let service: Serving
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    folder = temporaryFolder()
    const setup = join(folder.path, 'states.yaml')
    const person = `users:\n  - { id: kari, defaultCompany: EN, roles: { EN: [buyer, approver] }, passwordHash: "${PASSWORD_HASH}" }`
    writeFileSync(setup, readFileSync('test/fixtures/states.yaml', 'utf8').replace('users:', person))
    service = await serve(['--data', join(folder.path, 'data'), '--setup', setup], {
      environment: { TEST_CLIENT_SECRET: CLIENT_SECRET },
    })
    const [{ chromium }, { default: packed }] = await Promise.all([
      import('playwright-core'),
      import('@sparticuz/chromium'),
    ])
    browser = await chromium.launch({
      args: packed.args.filter((argument) => !/^--(?:single-process|no-zygote)$/.test(argument)),
      executablePath: await packed.executablePath(),
      headless: true,
    })
    page = await (await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })).newPage()
    // A busy machine may take longer than Playwright's thirty seconds.
    page.setDefaultTimeout(0)
    const authorization = `Basic ${Buffer.from(`buyer:${CLIENT_SECRET}`).toString('base64')}`
    const body = { orderNo: 'P1', lines: [{ lineNo: 1, amount: 7 }] }
    const created = await call(`${service.address}/v1/orders`, { method: 'POST', body, authorization })
    expect(created.status).toBe(201)
    await page.goto(`${service.address}/console/EN/record/orders/P1`)
    await page.getByLabel('User').fill('kari')
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
  })
  afterAll(async () => {
    await browser?.close()
    if (service) await kill(service)
    folder?.remove()
  })

  const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
  const sheet = (name: string) => page.getByRole('dialog', { name })

  it('are changed by its buttons, which say what is missing', async () => {
    await button('Approve').click()
    await sheet('Approve').getByText('Filled by then: Approved by, Lines.').waitFor()
    await sheet('Approve').getByRole('button', { name: 'Approve' }).click()
    await sheet('Approve').getByText('The ApprovedBy field is required.').waitFor()
    await sheet('Approve').getByRole('button', { name: 'Leave it' }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Approved by').fill('Kari Nordmann')
    expect(await page.getByLabel('Total').count()).toBe(0)
    await page.getByRole('button', { name: /^Save/ }).click()
    await button('Approve').click()
    await sheet('Approve').getByRole('button', { name: 'Approve' }).click()
    await button('Reopen').waitFor()
    await button('Change to sent').waitFor()
    expect(await button('Approve').count()).toBe(0)
    await page.getByRole('main').getByText('approved').first().waitFor()

    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Another supplier')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText(/^supplier cannot change while status is approved/).waitFor()
  })
})
