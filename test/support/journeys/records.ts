// Journeys to records and back: what people look for, see, change and take back.
import { expect } from 'vitest'
import { button, field, goTo, heading, type Journey, open, replaced, save, seek, undoLast, type Walk } from './walk.ts'

const LEDGER = 'general-ledger-transactions'
const APPROVE = { en: 'Approve', nb: 'Godkjenn', sv: 'Godk\u00e4nn', de: 'Genehmigen' }
const CUSTOMER = 'Solheim Slakteri AS'
const SUPPLIER = '20008'

const openCustomer = async (walk: Walk): Promise<void> => {
  await open(walk, 'solheim slakt')
  await heading(walk.page, CUSTOMER)
}

export const RECORD_JOURNEYS: Readonly<Record<string, Journey>> = {
  'finds a voucher by an amount': async (walk) => {
    const { page, steps } = walk
    // The greatest: no other voucher has it.
    const select = 'select=transactionNumber,amounts/amount&limit=1&orderBy=amounts/amount desc'
    const [line] = await walk.json<{ transactionNumber: number; amounts: { amount: number } }[]>(
      `/v1/objects/${LEDGER}?companyId=EN&posted=true&${select}`,
    )
    await seek(walk, walk.number(line?.amounts.amount ?? 0))
    const lines = page.getByRole('group', { name: await walk.title(LEDGER) }).getByRole('option')
    await steps.pick(lines.first())
    await heading(page, new RegExp(String(line?.transactionNumber)))
  },
  'sees who changed a bank account, and puts it back': async (walk) => {
    const { page, steps, t } = walk
    const path = '/v1/customers/100002'
    const account = async () =>
      (await walk.json<{ payment: { bankAccount: string } }>(`${path}?companyId=EN`)).payment.bankAccount
    const before = await account()
    await replaced(walk, path, { '/payment/bankAccount': '15030000001' })
    await openCustomer(walk)
    const timeline = page.getByRole('region', { name: t('Timeline') })
    await timeline.getByText('svc-demo').first().waitFor()
    await steps.click(timeline.getByRole('button', { name: t('Undo') }))
    await expect.poll(account).toBe(before)
  },
  'changes a name, and takes that back at once': async (walk) => {
    const { page, steps, t } = walk
    await openCustomer(walk)
    await steps.click(page.getByRole('link', { name: t('Edit'), exact: true }))
    const name = await field(walk, 'customers', 'customerName')
    // A form begins in its first field.
    await page.locator(':focus').and(page.getByRole('textbox')).waitFor()
    await steps.click(name)
    await steps.press('End')
    await steps.type(' Nord')
    await save(walk)
    await heading(page, `${CUSTOMER} Nord`)
    await undoLast(walk)
    await heading(page, /Solheim Slakteri AS$/)
  },
  'sees a record as it was at a past moment': async (walk) => {
    const { page, steps, t } = walk
    const path = '/v1/customers/100006'
    const { customerName } = await walk.json<{ customerName: string }>(`${path}?companyId=EN`)
    await replaced(walk, path, { '/aliasName': `Once ${walk.way}` })
    await replaced(walk, path, { '/aliasName': `Now ${walk.way}` })
    await open(walk, '100006')
    await heading(page, customerName)
    const now = page
      .getByRole('main')
      .getByRole('definition')
      .filter({ hasText: `Now ${walk.way}` })
    await now.waitFor()
    await steps.click(page.getByRole('button', { name: t('See it then') }).nth(1))
    await page.getByText(t('You see the past. It cannot be changed.')).waitFor()
    await page
      .getByRole('definition')
      .filter({ hasText: `Once ${walk.way}` })
      .waitFor()
    await steps.click(button(walk, 'Back to today'))
    await now.waitFor()
  },
  'opens again what was opened last': async (walk) => {
    const { page, steps } = walk
    await openCustomer(walk)
    await goTo(walk, walk.t('Home'))
    await seek(walk, '')
    await steps.pick(page.getByRole('option', { name: CUSTOMER }).first())
    await heading(page, CUSTOMER)
  },
  'follows a reference from an invoice to who sent it': async (walk) => {
    const { page, steps, t, isPhone } = walk
    await goTo(walk, await walk.title('supplier-invoices'))
    const invoice = isPhone
      ? page.getByRole('main').getByRole('listitem').getByRole('link').first()
      : page.locator('[data-place="0:0"]').getByRole('link')
    await invoice.waitFor()
    if (steps.isKeyboard && !isPhone) await steps.click(page.locator('[data-place="0:0"]'))
    else await steps.click(invoice)
    await page.getByRole('region', { name: t('Timeline') }).waitFor()
    const supplier = page.getByRole('main').getByRole('heading', { level: 2 }).getByRole('link').first()
    const name = await page.getByRole('region', { name: (await supplier.textContent()) ?? '' }).getByRole('definition')
    const names = await name.allTextContents()
    await steps.click(supplier)
    await page.waitForURL(/record\/suppliers/)
    await expect.poll(async () => names.includes(await page.getByRole('heading', { level: 1 }).innerText())).toBe(true)
  },
  'orders goods, with a line': async (walk) => {
    const { page, steps, t } = walk
    const document = 'purchase-orders'
    if (steps.isKeyboard) {
      await seek(walk, await walk.newText(document))
      await steps.press('Enter')
    } else {
      await goTo(walk, await walk.title(document))
      await steps.click(page.getByRole('link', { name: await walk.newText(document), exact: true }))
    }
    await steps.fill(await field(walk, document, 'supplierId'), SUPPLIER)
    await steps.press('Tab')
    await steps.type('2026-11-30')
    await steps.press('Tab')
    await steps.press('Tab')
    await steps.type('NOK')
    await steps.click(button(walk, 'Add a line'))
    await page.locator('[role=grid] :focus, [role=gridcell]:focus').first().waitFor()
    await steps.type('PC-040')
    await steps.press('Tab')
    await steps.press('Tab')
    await steps.type('2')
    await steps.press('Tab')
    await steps.press('Tab')
    await steps.type('995')
    await save(walk)
    await page.getByRole('region', { name: t('Timeline') }).waitFor()
    const key = page.url().split('/').at(-1)
    const order = await walk.json(`/v1/${document}/${key}?companyId=EN`)
    expect(order).toMatchObject({ supplierId: SUPPLIER, total: 1990, lines: [{ itemId: 'PC-040' }] })
  },
  'approves what was asked for': async (walk) => {
    const { page, steps, language, way } = walk
    const request = way === 'keyboard' ? 'R04000' : 'R04001'
    await open(walk, request)
    await heading(page, new RegExp(`${request}|wrenches|Desks`))
    const approve = { name: APPROVE[language], exact: true }
    await steps.click(page.getByRole('main').getByRole('button', approve))
    const sheet = page.getByRole('dialog')
    await sheet.waitFor()
    await steps.click(sheet.getByRole('button', approve))
    const path = `/v1/purchase-requests/${request}?companyId=EN`
    await expect.poll(() => walk.json(path)).toMatchObject({ status: 'A' })
    await sheet.waitFor({ state: 'hidden' })
  },
  'finds a file by a word in it': async (walk) => {
    const { page, steps } = walk
    await seek(walk, 'pump station')
    const files = page.getByRole('group', { name: await walk.title('document-archive') }).getByRole('option')
    await steps.pick(files.first())
    await page.getByRole('region').locator('canvas').first().waitFor()
    await page.getByRole('region').locator('mark').first().waitFor()
  },
  'files the e-mail of an invoice': async (walk) => {
    const { page, steps, t, way } = walk
    await goTo(walk, t('Files and scans'))
    const name = `invoice-${way}.eml`
    const lines = ['From: Anna <anna@example.com>', `Subject: Invoice ${way}`, '', 'Please pay the pumps.']
    const buffer = Buffer.from(lines.join('\r\n'))
    await steps.attach(button(walk, 'File documents'), { name, mimeType: 'message/rfc822', buffer })
    const form = page.getByRole('form', { name: t('File {{name}}', { name }) })
    await steps.choose(form.getByLabel(t('Type')), 'INVOICE')
    await steps.fill(form.getByRole('combobox', { name: 'Cost centre' }), '3110')
    await steps.fill(form.getByLabel('Invoice number'), `E-${way}`)
    await steps.fill(form.getByRole('combobox', { name: 'Supplier' }), SUPPLIER)
    await steps.press('Enter')
    await form.waitFor({ state: 'detached' })
    await steps.click(page.getByRole('main').getByRole('link', { name: `invoice-${way}` }))
    await page.getByText('Please pay the pumps.').waitFor()
  },
}
