// Journeys of a practised person through the console, from the first page on: the clicks and keys of each are counted,
// and none takes as long as half a minute. On no page on the way a name of a property is read.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { type ConsoleBrowser, startConsole } from '../support/console.ts'
import { namesShown, propertyNames } from '../support/console-names.ts'
import { Steps } from '../support/console-steps.ts'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'
import { longIt } from '../support/reliability-test.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

const MOST_SECONDS = 30
const LOOKS = [
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
] as const

describe.skipIf(!isInstalled)('A practised person', () => {
  let browser: ConsoleBrowser
  let names: readonly string[]
  const counted: Record<string, { keys: number; clicks: number; seconds: number }> = {}
  beforeAll(async () => {
    browser = await startConsole(2_000)
    names = await propertyNames(browser.demo.address)
  })
  afterEach(() => browser.forgetChoices())
  afterAll(async () => {
    console.table(counted)
    await browser?.stop()
  })

  const asked = async (path: string, init: RequestInit = {}) => {
    const headers = { ...DEMO_AUTHORIZATION, 'content-type': 'application/json' }
    return fetch(browser.demo.address + path, { ...init, headers })
  }
  const json = async (path: string) => (await asked(path)).json() as Promise<Record<string, unknown>[]>
  const replaced = (customer: number, path: string, value: string) =>
    asked(`/v1/customers/${customer}?companyId=EN`, {
      method: 'PATCH',
      body: JSON.stringify([{ op: 'replace', path, value }]),
    })
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
  const link = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

  type Journey = (steps: Steps, page: Page) => Promise<void>

  const seek = async (steps: Steps, page: Page, words: string) => {
    await steps.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).waitFor()
    await steps.type(words)
  }
  /** Opens the first hit. */
  const search = async (steps: Steps, page: Page, words: string) => {
    await seek(steps, page, words)
    await steps.press('Enter')
  }

  const JOURNEYS: Readonly<Record<string, Journey>> = {
    'finds a voucher by an amount': async (steps, page) => {
      // The greatest: no other voucher has it.
      const select = 'select=transactionNumber,amounts/amount&limit=1&orderBy=amounts/amount desc'
      const [line] = (await json(`/v1/objects/general-ledger-transactions?companyId=EN&posted=true&${select}`)) as {
        transactionNumber: number
        amounts: { amount: number }
      }[]
      await seek(steps, page, String(line?.amounts.amount))
      await steps.click(page.getByRole('group', { name: 'General ledger' }).getByRole('option').first())
      await heading(page, new RegExp(String(line?.transactionNumber)))
    },
    'sums the ledger by account, and saves that as a file': async (steps, page) => {
      await steps.click(link(page, 'Balances'))
      await steps.click(page.getByRole('main').getByRole('link', { name: 'General ledger', exact: true }))
      const saved = page.waitForEvent('download')
      await steps.click(button(page, 'Excel'))
      await steps.click(page.getByRole('menuitem', { name: 'File of these sums' }))
      expect((await saved).suggestedFilename()).toBe('general-ledger-transactions.csv')
    },
    'sees who changed a bank account, and puts it back': async (steps, page) => {
      const account = async () => {
        const { payment } = (await (await asked('/v1/customers/100002?companyId=EN')).json()) as {
          payment: { bankAccount: string }
        }
        return payment.bankAccount
      }
      const before = await account()
      expect((await replaced(100_002, '/payment/bankAccount', '15030000001')).status).toBe(200)
      await search(steps, page, 'solheim slakt')
      const timeline = page.getByRole('region', { name: 'Timeline' })
      await timeline
        .getByText(/svc-demo changed/)
        .first()
        .waitFor()
      await steps.click(timeline.getByRole('button', { name: 'Undo' }))
      await expect.poll(account).toBe(before)
    },
    'filters a list, keeps that by a name, and shows how many there are on Home': async (steps, page) => {
      await steps.click(link(page, 'Customers'))
      await steps.click(button(page, 'Add filter'))
      await page
        .locator(':focus')
        .and(page.getByRole('combobox', { name: 'Filter by' }))
        .waitFor()
      await steps.type('Countr')
      await page.getByRole('listbox').getByRole('option', { name: 'Country', exact: true }).waitFor()
      await steps.press('ArrowDown')
      await steps.press('Enter')
      await page.getByRole('combobox', { name: 'Value' }).waitFor()
      await steps.type('SE')
      await page.getByRole('option', { name: 'SE Sweden' }).waitFor()
      await steps.press('Enter')
      await button(page, 'Country is SE Sweden').waitFor()
      await steps.click(button(page, 'Views'))
      await steps.click(page.getByLabel('Save this view as'))
      await steps.type('Sweden')
      await steps.press('Enter')
      await steps.click(button(page, 'Show on Home'))
      await steps.press('Enter')
      await steps.click(link(page, 'Home'))
      const figures = page.getByRole('list', { name: 'Figures' })
      const [row] = await json(
        "/v1/objects/customers?companyId=EN&filter=countryCode eq 'SE'&aggregate=count() as number",
      )
      await figures.getByRole('link', { name: 'Customers' }).getByText(String(row?.number)).waitFor()
      await steps.click(figures.getByRole('button', { name: 'Remove Customers' }))
      await expect.poll(() => figures.getByRole('link', { name: 'Customers' }).count()).toBe(0)
    },
    'follows a customer': async (steps, page) => {
      await search(steps, page, 'solheim slakt')
      await heading(page, 'Solheim Slakteri AS')
      await steps.click(button(page, 'Follow: Home tells what changes'))
      await steps.click(link(page, 'Home'))
      const followed = page.getByRole('region', { name: 'What you follow' })
      await followed.getByRole('link', { name: 'Solheim Slakteri AS' }).waitFor()
    },
    'opens again what was opened last': async (steps, page) => {
      await search(steps, page, 'solheim slakt')
      await heading(page, 'Solheim Slakteri AS')
      await steps.click(link(page, 'Home'))
      await steps.press('/')
      await page.getByRole('option', { name: 'Solheim Slakteri AS' }).first().waitFor()
      await steps.press('Enter')
      await heading(page, 'Solheim Slakteri AS')
    },
    'changes a name, and takes that back at once': async (steps, page) => {
      await search(steps, page, 'solheim slakt')
      await heading(page, 'Solheim Slakteri AS')
      await steps.click(page.getByRole('link', { name: 'Edit' }))
      await steps.click(page.getByLabel('Customer name'))
      await steps.press('End')
      await steps.type(' Nord')
      await steps.press('Control+s')
      await heading(page, 'Solheim Slakteri AS Nord')
      await steps.click(button(page, 'Undo'))
      await heading(page, /Solheim Slakteri AS$/)
    },
    'finds a file by a word in it': async (steps, page) => {
      await seek(steps, page, 'pump station')
      await steps.click(page.getByRole('group', { name: 'Document archive' }).getByRole('option').first())
      await page.getByRole('region', { name: /^Revision/ }).waitFor()
    },
    'adds a person with a role': async (steps, page) => {
      await steps.click(link(page, 'Administration'))
      await steps.click(button(page, 'New person'))
      await steps.type('Kari Moe')
      await steps.press('Tab')
      await steps.press('Control+a')
      await steps.type('kari.moe')
      await steps.click(page.getByRole('group', { name: 'Example Nordic AS' }).getByLabel('reader'))
      await steps.click(button(page, 'Add the person'))
      expect(await page.getByLabel('Secret').textContent()).not.toBe('')
    },
    'sees whether webhooks fail': async (steps, page) => {
      await steps.click(link(page, 'Administration'))
      await steps.click(page.getByRole('link', { name: 'Webhooks' }))
      await page.getByText('Nobody has subscribed').waitFor()
    },
  }

  longIt.each(Object.keys(JOURNEYS))('%s', async (name) => {
    const page = await browser.open(LOOKS[Object.keys(JOURNEYS).indexOf(name) % LOOKS.length] ?? {})
    await page.goto(`${browser.demo.address}/console/EN`)
    await heading(page, 'Example Nordic AS')
    const steps = new Steps(page)
    await JOURNEYS[name]?.(steps, page)
    expect(await namesShown(page, names)).toEqual([])
    const { keys, clicks, seconds } = steps
    counted[name] = { keys, clicks, seconds: Math.round(seconds) }
    expect(seconds).toBeLessThan(MOST_SECONDS)
    await page.context().close()
  })

  longIt('asked no other host in all this, and nothing that the policy refuses', () => {
    expect(browser.told).toEqual([])
  })
})
