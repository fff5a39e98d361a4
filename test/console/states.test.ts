// What may become of a record, as buttons of its page: a person approves an order, and is told what is missing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedConsole, serveConsole } from '../support/console.ts'
import { call } from '../support/process.ts'
import { longIt } from '../support/reliability-test.ts'
import { CLIENT_SECRET } from '../support/world.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

describe.skipIf(!isInstalled)('The states of a record in the console', () => {
  let served: ServedConsole
  let page: Page

  const authorization = `Basic ${Buffer.from(`buyer:${CLIENT_SECRET}`).toString('base64')}`

  beforeAll(async () => {
    served = await serveConsole('test/fixtures/states.yaml', ['buyer', 'approver'])
    const body = { orderNo: 'P1', lines: [{ lineNo: 1, amount: 7 }] }
    const created = await call(`${served.address}/v1/orders`, { method: 'POST', body, authorization })
    expect(created.status).toBe(201)
    page = await served.signIn('/EN/record/orders/P1')
  })
  afterAll(() => served?.stop())

  const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
  const sheet = (name: string) => page.getByRole('dialog', { name })

  it('are changed by its buttons, which say what is missing', async () => {
    await button('Approve').click()
    await sheet('Approve').getByText('Filled by then: Approved by and Lines.').waitFor()
    await sheet('Approve').getByRole('button', { name: 'Approve' }).click()
    await sheet('Approve').getByText('The “Approved by” field is required.').waitFor()
    await sheet('Approve').getByRole('button', { name: 'Leave it' }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Approved by').fill('Kari Nordmann')
    expect(await page.getByLabel('Total').count()).toBe(0)
    await page.getByRole('button', { name: /^Save/ }).click()
    await button('Approve').click()
    await sheet('Approve').getByRole('button', { name: 'Approve' }).click()
    await button('Reopen').waitFor()
    await button('Change to sent').waitFor()
    expect(await button('Approve').count()).toBe(0)
    await page.getByRole('main').getByText('approved').first().waitFor()

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Name').fill('Another supplier')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText(/^“Supplier” cannot change while “Status” is approved/).waitFor()

    // A part of the record that is folded stays so, in every browser.
    await page.goto(`${served.address}/console/EN/record/orders/P1`)
    const lines = page.getByRole('region', { name: 'Lines' })
    await lines.getByRole('table').waitFor()
    const kept = page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.url().includes('settings'),
    )
    await lines.getByRole('button', { name: 'Lines', expanded: true }).click()
    await lines.getByRole('table').waitFor({ state: 'hidden' })
    await kept
    const other = await served.signIn('/EN/record/orders/P1')
    await other.getByRole('button', { name: 'Lines', expanded: false }).waitFor()
    await other.context().close()
  })

  it('are badges in a grid, whose cells are changed in place over the state that was read', async () => {
    const cell = (column: number) => page.locator(`[data-place="0:${column}"]`)
    const box = page.getByRole('dialog')
    const press = (key: string) => page.keyboard.press(key)
    await page.goto(`${served.address}/console/EN/grid/orders?columns=orderNo,approvedBy:5,sentOn,supplier/name,status`)
    await expect.poll(() => cell(4).textContent()).toBe('Approved')
    expect(await cell(4).locator('[data-stage]').getAttribute('data-stage')).toBe('success')

    // A cell says that it may be changed, and offers it at its end: its middle can be pressed.
    expect(await cell(0).getAttribute('aria-readonly')).toBe('true')
    expect(await cell(1).getAttribute('aria-readonly')).toBe('false')
    // Its state locks it.
    expect(await cell(3).getAttribute('aria-readonly')).toBe('true')
    await cell(1).hover()
    const change = page.getByRole('button', { name: 'Change the cell' })
    await change.waitFor()
    const { x = 0, y = 0, width = 0, height = 0 } = (await cell(1).boundingBox()) ?? {}
    const middle = `document.elementFromPoint(${x + width / 2}, ${y + height / 2}).closest('[data-choice]')`
    expect(await page.evaluate(middle)).toBe(null)
    await change.click()
    await box.getByLabel('Approved by').waitFor()
    await press('Escape')
    await expect.poll(() => cell(1).and(page.locator(':focus')).count()).toBe(1)

    await cell(1).focus()
    await press('Enter')
    await box.getByLabel('Approved by').waitFor()
    await page.keyboard.type('Ola Nordmann')
    await press('Enter')
    await page.getByText('Saved.').waitFor()
    await expect.poll(() => cell(1).textContent()).toBe('Ola Nordmann')
    await expect.poll(() => cell(1).and(page.locator(':focus')).count()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => cell(1).textContent()).toBe('Kari Nordmann')

    // What is no value is told at the cell; Escape leaves it.
    await cell(2).dblclick({ position: { x: 12, y: 12 } })
    await box.getByLabel('Sent on').fill('soon')
    await press('Enter')
    await box.getByText(/^This must be a date/).waitFor()
    await press('Escape')
    await expect.poll(() => box.count()).toBe(0)
    expect(await cell(2).textContent()).toBe('\u2013')

    // Somebody else is faster.
    await cell(1).focus()
    await press('F2')
    await box.getByLabel('Approved by').fill('Anna')
    const body = [{ op: 'replace', path: '/approvedBy', value: 'Eva' }]
    const changed = await call(`${served.address}/v1/orders/P1`, { method: 'PATCH', body, authorization })
    expect(changed.status).toBe(200)
    await press('Enter')
    await box.getByText(/here it says Eva/).waitFor()
    await press('Enter')
    await expect.poll(() => cell(1).textContent()).toBe('Anna')
    // It closes after the grid is read anew, and holds the focus until then.
    await expect.poll(() => box.count()).toBe(0)

    // What its state keeps is not changed: the record is opened.
    await cell(3).focus()
    await press('Enter')
    await page.waitForURL(/\/record\/orders\/P1$/)
  })

  it('stand beside what is computed of its lines, which the service tells before they are saved', async () => {
    await page.goto(`${served.address}/console/EN/new/orders`)
    await page.getByLabel('Order no').fill('P2')
    await page.getByRole('button', { name: 'Add a line' }).click()
    await page.keyboard.type('2.5')
    await page.keyboard.press('Enter')
    await page.keyboard.type('4')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Computed' }).getByText('6.5').waitFor()
  })

  it('have their texts in a filter for who may not read value lists', async () => {
    await page.goto(`${served.address}/console/EN/grid/orders?filter=status eq 'approved'`)
    await page.getByRole('button', { name: /^Status is approved Approved/ }).waitFor()
  })

  longIt('stand in views that the company shares, where its setup declares them', async () => {
    await page.goto(`${served.address}/console/EN/grid/orders?filter=status eq 'approved'`)
    await button('Views').click()
    await page.getByLabel('Save this view as').fill('To be sent')
    await page.getByLabel('Share it within the company').check()
    await page.getByLabel('Save this view as').press('Enter')
    await button('Remove To be sent').waitFor()
    const other = await served.signIn('/EN/grid/orders')
    const dialog = other.getByRole('main')
    await dialog.getByRole('button', { name: 'Views' }).click()
    await dialog.getByRole('button', { name: 'To be sent', exact: true }).click()
    await other.getByRole('button', { name: /^Status is approved/ }).waitFor()
    await other.context().close()
    await button('Remove To be sent').click()
    await button('Remove To be sent').waitFor({ state: 'detached' })
  })
})
