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
  maker = '',
) => ({
  lineNo,
  costCentre,
  quantity,
  price,
  delivery: { date },
  packages: weights.map((weight) => ({ weight })),
  maker,
})
/** With the sum of a quantity, who has made what is ordered, and what an order has where nothing is given. */
const withMakers = (setup: string): string =>
  setup
    .replace(
      /(?<=name: purchase-orders\n[\s\S]*?supplierId: .*\n)/,
      '      isUrgent: { type: boolean, default: true }\n      way: { type: string, valueList: WAYS }\n',
    )
    .replace(
      '    attributes:',
      '    valueLists: { WAYS: { title: Ways, description: How it comes., codes: { S: { EN: Sea, DE: See } } } }\n    attributes:',
    )
    .replace('  - name: purchase-order-lines\n', '$&    sums: [quantity]\n')
    .replace(
      /(?<=name: purchase-order-lines\n[\s\S]*?weight: .*\n)/,
      '      maker: { type: string, maxLength: 25 }\n      madeBy: { reference: suppliers, key: [maker] }\n',
    )
const COLUMNS = { lineNo: 0, costCentre: 1, quantity: 2, price: 3, date: 4 }

describe.skipIf(!isInstalled)('The lines of an order in the console', () => {
  let served: ServedConsole
  let page: Page

  beforeAll(async () => {
    served = await serveConsole('test/fixtures/order-lines.yaml', ['all'], withMakers)
    const lines = [line(10, '100', 2, 25.5, NONE, [1.25]), line(20, '200', 1, 456.76)]
    const made = [
      line(10, '100', 1.125, 1, NONE, [], 'S1'),
      line(20, '200', 0.875, 1, NONE, [], 'S2'),
      line(30, '100', 2, 1, NONE, [], 'S1'),
    ]
    const orders = [
      ['suppliers', { supplierId: 'S1', supplierName: 'Nordic Paper' }],
      ['suppliers', { supplierId: 'S2', supplierName: 'Grong Mill' }],
      ['purchase-orders', { orderNo: 'P1', lines }],
      ['purchase-orders', { orderNo: 'P3', lines: made }],
    ] as const
    for (const [name, body] of orders) {
      expect((await call(`${served.address}/v1/${name}`, { method: 'POST', body })).status).toBe(201)
    }
    page = await served.signIn('/EN/record/purchase-orders/P1', {
      locale: 'en-DE',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.getByRole('link', { name: 'Balances' }).first().waitFor()
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
    const box = page.getByRole('checkbox', { name: 'Is urgent' })
    expect(await box.isChecked()).toBe(true)
    await box.uncheck()
    await field('Way').click()
    await page.getByText('Ways: How it comes.').waitFor()
    await page.getByRole('option', { name: 'S Sea' }).click()
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
    const { text } = await call(`${served.address}${ORDERS}/P2`)
    expect(JSON.parse(text)).toMatchObject({ isUrgent: false, way: 'S' })
  })

  it('name what they refer to by one request, and are summed with the places that their values have', async () => {
    const asked: string[] = []
    page.on('request', (request) => {
      // The page before may still ask for the supplier of its order.
      const url = decodeURIComponent(request.url())
      if (/\/v1\/objects\/suppliers\?.*filter=.*'S2'/.test(url)) asked.push(url)
    })
    await page.goto(`${served.address}/console/EN/record/purchase-orders/P3`)
    await page.getByRole('link', { name: 'S2 Grong Mill' }).waitFor()
    expect(await page.getByRole('link', { name: 'S1 Nordic Paper' }).count()).toBe(2)
    expect(asked).toEqual([expect.stringContaining("('S1','S2')")])
    const quantities = ['1,125', '0,875', '2,000']
    for (const text of quantities) await page.getByRole('cell', { name: text, exact: true }).waitFor()
    await page.goto(
      `${served.address}/console/EN/grid/purchase-order-lines?filter=${encodeURIComponent("orderNo eq 'P3'")}`,
    )
    for (const text of [...quantities, '4,000']) await page.getByRole('gridcell', { name: text, exact: true }).waitFor()
    await page.goto(`${served.address}/console/EN/balances/purchase-order-lines?rows=costCentre`)
    await page
      .getByRole('gridcell', { name: /,\d{3}$/ })
      .first()
      .waitFor()
    expect(await page.getByRole('gridcell', { name: /,\d\d?$/ }).count()).toBe(0)
  })

  it('fold in a form, and stay so, but for what is wrong or asked for', async () => {
    const edit = `${served.address}/console/EN/record/purchase-orders/P3/edit`
    const fold = (name: string) => page.getByRole('group', { name }).getByRole('button', { name, exact: true })
    const isOpen = (name: string, open: boolean) =>
      expect.poll(() => fold(name).getAttribute('aria-expanded')).toBe(String(open))
    await page.goto(edit)
    const foot = page.getByRole('grid').getByText('4,000', { exact: true })
    await foot.waitFor()
    /** Once it is kept which parts are folded. */
    const toggle = async (name: string, folded: readonly string[]) => {
      const kept = page.waitForResponse(
        (answer) =>
          answer.ok() &&
          answer
            .request()
            .postData()
            ?.includes(`"purchase-orders/edit":${JSON.stringify(folded)}`) === true,
      )
      await fold(name).click()
      await kept
    }
    await toggle('Order lines', ['lines'])
    await foot.waitFor({ state: 'hidden' })
    await page.reload()
    await isOpen('Order lines', false)
    await page.goto(`${edit}#lines`)
    await page.reload()
    await isOpen('Order lines', true)
    await fold('Order lines').click()
    await isOpen('Order lines', false)
    const supplier = page.locator('input').and(page.getByLabel(/^Supplier/))
    await supplier.fill('S9')
    await supplier.press('Tab')
    const mistake = page.getByText('There is no record S9 of Suppliers.')
    await mistake.waitFor()
    await toggle('General', ['lines', ''])
    await isOpen('General', true)
    await supplier.fill('S2')
    await mistake.waitFor({ state: 'hidden' })
    await isOpen('General', true)
    await toggle('Order lines', [''])
    await isOpen('Order lines', true)
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

  it('do not move away from under a press that leaves a field with a mistake', async () => {
    // No pause of the typing person ends while the clock stands.
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.clock.install()
    await page.goto(`${served.address}/console/EN/new/contracts`)
    const field = page.locator('input').and(page.getByLabel(/^Contract no/))
    const mistake = page.getByText('This must be a whole number.')
    const button = page.getByRole('button', { name: 'Add a line' }).first()
    await button.waitFor()
    await field.focus()
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000))
    await page.keyboard.type('seven')
    await button.scrollIntoViewIfNeeded()
    await page.evaluate("addEventListener('click', ({ target }) => target.closest('button').dataset.pressed = '')")
    // The button itself goes down a little while it is pressed.
    const place = () => button.locator('..').boundingBox()
    const before = await place()
    if (!before) throw new Error('the button is not seen')
    await button.hover()
    await page.mouse.down()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('INPUT')
    await page.clock.runFor(5_000)
    expect(await mistake.count()).toBe(0)
    expect(await place()).toEqual(before)
    await page.mouse.up()
    expect(await button.getAttribute('data-pressed')).toBe('')
    await page.clock.runFor(1)
    await mistake.waitFor()
  })

  it('asked nothing that the policy refuses', () => {
    expect(served.told).toEqual([])
  })
})
