// The lines of an order in the console: a grid that is changed by the keyboard and pasted into from a spreadsheet, as
// people with a decimal comma do.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedConsole, serveConsole } from '../support/console.ts'
import { PHONE } from '../support/console-hands.ts'
import { call } from '../support/process.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

const ORDERS = '/v1/purchase-orders'
const NONE = '1900-01-01T00:00:00.000'
const line = (
  lineNo: number,
  costCentre: string,
  quantity: number,
  price: number,
  date = NONE,
  weights: number[] = [],
) => ({
  lineNo,
  costCentre,
  quantity,
  price,
  delivery: { date },
  packages: weights.map((weight) => ({ weight })),
})
const COLUMNS = { lineNo: 0, costCentre: 1, quantity: 2, price: 3, date: 4 }

describe.skipIf(!isInstalled)('The lines of an order in the console', () => {
  let served: ServedConsole
  let page: Page

  beforeAll(async () => {
    served = await serveConsole('test/fixtures/order-lines.yaml', ['all'])
    const lines = [line(10, '100', 2, 25.5, NONE, [1.25]), line(20, '200', 1, 456.76)]
    const orders = [
      ['suppliers', { supplierId: 'S1', supplierName: 'Nordic Paper' }],
      ['purchase-orders', { orderNo: 'P1', lines }],
    ] as const
    for (const [name, body] of orders) {
      expect((await call(`${served.address}/v1/${name}`, { method: 'POST', body })).status).toBe(201)
    }
    page = await served.signIn('/EN/record/purchase-orders/P1', {
      locale: 'en-DE',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
  })
  afterAll(() => served?.stop())

  const linesOf = async (orderNo: string) => {
    const answer = await call(`${served.address}${ORDERS}/${orderNo}`)
    return (JSON.parse(answer.text) as { lines: unknown }).lines
  }
  const cell = (row: number, column: keyof typeof COLUMNS) =>
    page.getByRole('grid').locator(`[data-place="${row}:${COLUMNS[column]}"]`)
  const isFocused = async (row: number, column: keyof typeof COLUMNS) => {
    await expect.poll(() => page.evaluate('document.activeElement.dataset.place')).toBe(`${row}:${COLUMNS[column]}`)
  }
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  /** Through the clipboard, as from a spreadsheet. */
  const paste = async (...rows: string[]) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(rows.join('\r\n'))})`)
    await press('Control+v')
  }
  const fault = (name: string) => page.getByRole('status').getByRole('button', { name })

  it('are changed, pasted, put right and saved together', async () => {
    const before = await linesOf('P1')
    await page.getByRole('table').getByText('456,76').waitFor()
    await page.getByRole('link', { name: 'Edit lines' }).click()
    await isFocused(0, 'costCentre')
    // What is given up stays as it was.
    await page.keyboard.type('nothing')
    await press('Escape', 'ArrowRight')
    await isFocused(0, 'quantity')
    await page.keyboard.type('12,5')
    await press('Tab')
    await isFocused(0, 'price')
    expect(await cell(0, 'quantity').textContent()).toBe('12,50')
    await cell(0, 'costCentre').getByText('Oslo').waitFor()
    await press('ArrowDown', 'ArrowLeft', 'ArrowLeft')
    await isFocused(1, 'costCentre')
    await paste('100\t1 234,5\t1.000,00\t31.12.2026', '300\tmany\t7\t', '')
    await page.getByText('8 cells pasted. 1 line added.').waitFor()
    await fault('Line 30, Quantity').click()
    await isFocused(2, 'quantity')
    await page.keyboard.type('8')
    await press('Enter')
    await fault('Line 30, Cost centre').waitFor()
    expect(await cell(2, 'costCentre').getAttribute('aria-invalid')).toBe('true')
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations).toEqual([])
    expect(await linesOf('P1')).toEqual(before)

    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('alert').getByText('Illegal value.').waitFor()
    expect(await linesOf('P1')).toEqual(before)
    await fault('Line 30, Cost centre').click()
    await page.keyboard.type('Ber')
    await page.getByRole('option', { name: '200 Bergen' }).waitFor()
    await press('ArrowDown', 'Enter')
    await isFocused(2, 'costCentre')
    await page.getByRole('button', { name: 'Remove line 1' }).click()
    await press('Control+z')
    // Enter in the empty row behind the last line adds none; Escape leaves the grid.
    await cell(3, 'price').focus()
    await press('Enter', 'Enter')
    await isFocused(3, 'price')
    await press('Escape', 'Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add a line')
    // What stands in a cell that is being changed is saved too.
    await cell(2, 'price').focus()
    await page.keyboard.type('7,25')
    await press('Control+s')
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    expect(await linesOf('P1')).toEqual([
      line(10, '100', 12.5, 25.5, NONE, [1.25]),
      line(20, '100', 1234.5, 1000, '2026-12-31T00:00:00.000'),
      line(30, '200', 8, 7.25),
    ])
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('Some were changed, added or removed.').waitFor()
    await timeline.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The change is undone.').waitFor()
    expect(await linesOf('P1')).toEqual(before)
  })

  it('are created with it, and its supplier is looked up by name', async () => {
    await page.goto(`${served.address}/console/EN/new/purchase-orders`)
    const field = (name: string) => page.locator('input').and(page.getByLabel(new RegExp(`^${name}`)))
    await field('Order no').fill('P2')
    // That there is no such supplier is known when one is chosen, and is not told of that one.
    const checked = page.waitForResponse((answer) => answer.request().postData()?.includes('"Paper"') === true)
    await field('Supplier').fill('Paper')
    expect((await checked).status()).toBe(422)
    await page.getByRole('option', { name: 'S1 Nordic Paper' }).click()
    await page.getByRole('button', { name: 'Add a line' }).click()
    await isFocused(0, 'costCentre')
    await paste('100\t2\t25,5')
    await page.getByText('3 cells pasted. 1 line added.').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    expect(await linesOf('P2')).toEqual([line(10, '100', 2, 25.5)])
  })

  it('scroll within themselves on a phone', async () => {
    await page.setViewportSize(PHONE.viewport)
    await page.goto(`${served.address}/console/EN/record/purchase-orders/P1/edit`)
    await cell(0, 'date').waitFor()
    const widths = (of: string) => page.evaluate(`[${of}.scrollWidth, ${of}.clientWidth]`) as Promise<[number, number]>
    const [whole, shown] = await widths('document.documentElement')
    expect(whole).toBe(shown)
    const [lines, seen] = await widths("document.querySelector('[role=grid]')")
    expect(lines).toBeGreaterThan(seen)
  })

  it('asked nothing that the policy refuses', () => {
    expect(served.told).toEqual([])
  })
})
