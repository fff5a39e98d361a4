// The lines of an order in the console: a grid that is changed by the keyboard and pasted into from a spreadsheet, as
// people with a decimal comma do.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBrowser, startConsole } from '../support/console.ts'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

describe.skipIf(!isInstalled)('The lines of an order in the console', () => {
  let browser: ConsoleBrowser
  const orders = '/v1/purchase-orders'
  const first = { lineNo: 10, itemId: 'SG-080', description: 'Gasket', quantity: 2, unit: 'pcs', price: 25.5 }
  const second = { lineNo: 20, itemId: 'SM-022', description: 'Seal', quantity: 1, unit: 'pcs', price: 456.76 }
  const bearing = { description: 'Bearing', quantity: 1234.5, unit: 'pcs', price: 1000 }
  let sheets: Page

  beforeAll(async () => {
    browser = await startConsole(2)
    sheets = await browser.open({ locale: 'nb-NO', permissions: ['clipboard-read', 'clipboard-write'] })
  })

  afterAll(() => browser?.stop())

  const linesOf = async (orderNo: string) => {
    const answer = await fetch(`${browser.demo.address}${orders}/${orderNo}?companyId=EN`, {
      headers: DEMO_AUTHORIZATION,
    })
    return ((await answer.json()) as { lines: unknown }).lines
  }
  const grid = () => sheets.getByRole('grid')
  const cell = (row: number, column: number) => grid().locator(`[data-place="${row}:${column}"]`)
  const focused = async (row: number, column: number) => {
    await expect.poll(() => sheets.evaluate('document.activeElement.dataset.place')).toBe(`${row}:${column}`)
  }
  const type = async (text: string, ...keys: string[]) => {
    await sheets.keyboard.type(text)
    for (const key of keys) await sheets.keyboard.press(key)
  }
  /** As from a spreadsheet: the keys of the person, through the clipboard of the browser. */
  const paste = async (...rows: string[]) => {
    await sheets.evaluate(`navigator.clipboard.writeText(${JSON.stringify(rows.join('\r\n'))})`)
    await sheets.keyboard.press('Control+v')
  }

  it('are changed, pasted, put right and saved together', async () => {
    const body = JSON.stringify({
      supplierId: '20050',
      orderDate: '2026-11-30',
      currencyCode: 'NOK',
      lines: [first, second],
    })
    const init = { method: 'POST', headers: { ...DEMO_AUTHORIZATION, 'content-type': 'application/json' }, body }
    const { orderNo } = (await (await fetch(`${browser.demo.address}${orders}?companyId=EN`, init)).json()) as {
      orderNo: string
    }
    await sheets.goto(`${browser.demo.address}/console/EN/record/purchase-orders/${orderNo}`)
    await sheets.getByRole('table').getByText('456,76').waitFor()
    await sheets.getByRole('link', { name: 'Edit lines' }).click()
    await focused(0, 1)
    // What is given up stays as it was.
    await type('nothing', 'Escape', 'ArrowRight', 'ArrowRight')
    await focused(0, 3)
    await type('12,5', 'Tab')
    await focused(0, 4)
    expect(await cell(0, 3).textContent()).toBe('12,50')
    await cell(1, 1).focus()
    await paste('BB-6204\tBearing\t1 234,5\tpcs\t1.000,00', 'NONE\tBearing\tmany\tpcs\t1000', '')
    await sheets.getByText('10 cells pasted, 1 line added.').waitFor()
    await sheets.getByRole('button', { name: 'Line 30, Antall' }).click()
    await focused(2, 3)
    await type('1234,5', 'Enter')
    await sheets.getByRole('button', { name: 'Line 30, Vare' }).waitFor()
    expect(await cell(2, 1).getAttribute('aria-invalid')).toBe('true')
    const { violations } = await new AxeBuilder({ page: sheets }).include('#lines').analyze()
    expect(violations).toEqual([])
    expect(await linesOf(orderNo)).toEqual([first, second])

    await sheets.getByRole('button', { name: /^Save/ }).click()
    await sheets
      .getByRole('alert')
      .getByText(/Illegal value/)
      .waitFor()
    expect(await linesOf(orderNo)).toEqual([first, second])
    await sheets.getByRole('button', { name: 'Line 30, Vare' }).click()
    await type('BB-620')
    await sheets.getByRole('option', { name: /BB-6205/ }).waitFor()
    await type('', 'ArrowDown', 'ArrowDown', 'Enter')
    await focused(2, 1)
    await sheets.getByRole('button', { name: 'Remove line 1' }).click()
    await type('', 'Control+z')
    await type('', 'Control+s')
    await sheets.getByRole('region', { name: 'Timeline' }).waitFor()
    const pasted = [
      { lineNo: 20, itemId: 'BB-6204', ...bearing },
      { lineNo: 30, itemId: 'BB-6205', ...bearing },
    ]
    expect(await linesOf(orderNo)).toEqual([{ ...first, quantity: 12.5 }, ...pasted])
  })

  it('are created with it', async () => {
    await sheets.goto(`${browser.demo.address}/console/EN/new/purchase-orders`)
    const field = (name: string) =>
      sheets
        .locator('input')
        .and(sheets.getByLabel(new RegExp(`^${name}`)))
        .first()
    await field('Leverandør').fill('20050')
    await field('Ordredato').fill('2026-11-30')
    await field('Valuta').fill('NOK')
    await sheets.getByRole('button', { name: 'Add a line' }).click()
    await focused(0, 1)
    await paste('SG-080\tGasket\t2\tpcs\t25,5')
    await sheets.getByText('5 cells pasted, 1 line added.').waitFor()
    await sheets.getByRole('button', { name: 'Save', exact: true }).click()
    await sheets.getByRole('region', { name: 'Timeline' }).waitFor()
    expect(await linesOf(new URL(sheets.url()).pathname.split('/').at(-1) ?? '')).toEqual([first])
  })

  it('asked nothing that its policy refuses', () => {
    expect(browser.told).toEqual([])
  })
})
