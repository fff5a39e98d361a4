// Journeys through lists: summed, filtered, shared, followed, printed, changed as a whole, and filled from elsewhere.
import { strToU8, zipSync } from 'fflate'
import { expect } from 'vitest'
import { button, filterByCountry, goHome, goTo, heading, type Journey, open, replaced, unfold } from './walk.ts'

/** As the demo calls the relation that each customer has. */
const LEGAL_ENTITY = {
  en: 'Legal entity',
  nb: 'Juridisk enhet',
  sv: 'Juridisk enhet',
  de: 'Rechtliche Einheit',
} as const
const LEDGER = 'general-ledger-transactions'

export const LIST_JOURNEYS: Readonly<Record<string, Journey>> = {
  'takes in 2,000 customers of a foreign spreadsheet': async (walk) => {
    const { page, steps, t } = walk
    await goTo(walk, await walk.title('customers'))
    await unfold(walk)
    await steps.click(page.getByRole('link', { name: t('Import'), exact: true }))
    const file = { name: 'kunder.xlsx', mimeType: SPREADSHEET, buffer: Buffer.from(customersOf(2_000, walk.way)) }
    await steps.attach(button(walk, 'Choose a file'), file)
    await steps.fill(page.getByRole('combobox', { name: LEGAL_ENTITY[walk.language] }), 'NO1')
    await steps.click(button(walk, 'Check the rows'))
    await steps.click(button(walk, 'Load {{count}} rows', { count: 2_000 }))
    await page.getByText(t('{{count}} records were added.', { count: 2_000 })).waitFor()
    const named = `customerName eq '${walk.way} 1999'`
    const [last] = await walk.json<{ invoice: { creditLimit: number }; payment: { expiryDate: string } }[]>(
      `/v1/objects/customers?companyId=EN&$filter=${named}`,
    )
    expect([last?.invoice.creditLimit, last?.payment.expiryDate.slice(0, 10)]).toEqual([1999.25, '2050-12-31'])
  },
  'pastes a block of a spreadsheet': async (walk) => {
    const { page, steps, t, isPhone, way } = walk
    const day = steps.isKeyboard ? '2031-01-01' : '2031-02-01'
    const block = `USD\tC\t${day}\t10.25\nEUR\tC\t${day}\t11.5`
    await goTo(walk, await walk.title('exchange-rates'))
    if (isPhone) {
      // A phone has cards, and no grid to paste into.
      const names = ['currencyCode', 'rateType', 'validFrom', 'rate'].map((path) => walk.title('exchange-rates', path))
      await copy(walk, `${(await Promise.all(names)).join('\t')}\n${block}`)
      await unfold(walk)
      await steps.click(page.getByRole('link', { name: t('Import'), exact: true }))
      await steps.click(page.getByLabel(t('Or paste rows of a spreadsheet')))
      await steps.press('Control+v')
      await steps.click(button(walk, 'Take these rows'))
    } else {
      await copy(walk, block)
      await page.getByRole('gridcell').first().waitFor()
      await steps.click(page.locator('[data-place="0:1"]'))
      await steps.press('Control+v')
    }
    await steps.click(button(walk, 'Check the rows'))
    await steps.click(button(walk, 'Load {{count}} rows', { count: 2 }))
    await page.getByText(t('{{count}} records were added.', { count: 2 })).waitFor()
    expect(await walk.json(`/v1/exchange-rates/EUR/C/${day}?companyId=EN`), way).toMatchObject({ rate: 11.5 })
  },
  'changes a field of all rows that a filter leaves': async (walk) => {
    const { page, steps, t } = walk
    const group = steps.isKeyboard ? 'AQUA' : 'MARINE'
    const select = '$select=customerId,customerGroupId'
    const all = await walk.json<{ customerId: string; customerGroupId: string }[]>(
      `/v1/objects/customers?companyId=EN&$filter=countryCode eq 'FI'&${select}`,
    )
    const rows = all.filter(({ customerGroupId }) => customerGroupId !== group)
    await goTo(walk, await walk.title('customers'))
    await filterByCountry(walk, 'customers', 'FI')
    await unfold(walk)
    await steps.click(page.getByRole('link', { name: t('Change all {{count}} rows\u2026', { count: all.length }) }))
    const title = await walk.title('customers', 'customerGroupId')
    await steps.click(page.getByRole('combobox', { name: t('Field') }))
    await steps.pick(page.getByRole('option', { name: title, exact: true }))
    await steps.fill(page.getByRole('combobox', { name: title }), group)
    await steps.press('Enter')
    const change = page.getByRole('button', { name: t('Change {{count}} rows', { count: rows.length }) })
    await change.waitFor()
    // Somebody else changes one of them meanwhile.
    await replaced(walk, `/v1/customers/${rows[0]?.customerId}`, { '/aliasName': `Meanwhile ${walk.way}` })
    await steps.click(change)
    await page.getByText(t('{{count}} rows were changed.', { count: rows.length - 1 })).waitFor()
    const refused = page.getByRole('region', { name: t('Rows that are refused') })
    expect(await refused.textContent()).toContain(String(rows[0]?.customerId))
  },
  'sums the ledger by account, and saves that as a file': async (walk) => {
    const { page, steps, t } = walk
    await goTo(walk, t('Balances'))
    await steps.click(page.getByRole('main').getByRole('link', { name: await walk.title(LEDGER), exact: true }))
    const saved = page.waitForEvent('download')
    await steps.click(page.getByRole('button', { name: 'Excel' }))
    await steps.click(page.getByRole('menuitem', { name: t('File of these sums') }))
    expect((await saved).suggestedFilename()).toBe(`${LEDGER}.csv`)
  },
  'filters a list, and shares that as a view': async (walk) => {
    const { page, steps, t, way } = walk
    await goTo(walk, await walk.title('customers'))
    await filterByCountry(walk, 'customers', 'SE')
    await unfold(walk)
    await steps.click(button(walk, 'Views'))
    await steps.fill(page.getByLabel(t('Save this view as')), `Sweden ${way}`)
    await steps.click(page.getByLabel(t('Share it within the company')))
    if (steps.isKeyboard) await steps.press('Enter')
    else await steps.click(button(walk, 'Save'))
    const remove = page.getByRole('button', { name: t('Remove {{value}}', { value: `Sweden ${way}` }) })
    await remove.waitFor()
    const [view] = await walk.json<{ view: string }[]>(
      `/v1/objects/grid-views?companyId=EN&$filter=name eq 'Sweden ${way}'`,
    )
    expect(new URLSearchParams(view?.view).get('filter')).toBe("countryCode eq 'SE'")
  },
  'shows on Home how many rows there are': async (walk) => {
    const { page, steps, t } = walk
    const title = await walk.title('contracts')
    await goTo(walk, title)
    await unfold(walk)
    await steps.click(button(walk, 'Views'))
    await steps.click(button(walk, 'Show on Home'))
    const sheet = page.getByRole('dialog')
    await steps.click(sheet.getByRole('button', { name: t('Show on Home') }))
    await goHome(walk)
    const figure = page.getByRole('list', { name: t('Figures') }).getByRole('link', { name: title })
    const [row] = await walk.json<{ number: number }[]>(
      '/v1/objects/contracts?companyId=EN&aggregate=count() as number',
    )
    await figure.getByText(String(row?.number)).waitFor()
  },
  'follows a customer, and finds it on Home': async (walk) => {
    const { page, steps, t } = walk
    await open(walk, 'solheim slakt')
    await heading(page, 'Solheim Slakteri AS')
    await steps.click(button(walk, 'Follow: Home tells what changes'))
    await goHome(walk)
    const followed = page.getByRole('region', { name: t('What you follow') })
    await followed.getByRole('link', { name: 'Solheim Slakteri AS' }).waitFor()
  },
  'prints a list': async (walk) => {
    const { page, steps, isPhone } = walk
    await page.evaluate('window.print = () => { window.printed = document.querySelectorAll("main tbody tr").length }')
    await goTo(walk, await walk.title('contracts'))
    await button(walk, isPhone ? 'More' : 'Download').waitFor()
    if (steps.isKeyboard) await steps.press('Control+p')
    else {
      await unfold(walk)
      await steps.click(button(walk, 'Download'))
      await steps.click(button(walk, 'Print'))
    }
    const answer = await walk.asked('/v1/objects/contracts?companyId=EN', { method: 'HEAD' })
    const count = Number(answer.headers.get('x-erp-total-count'))
    await expect.poll(() => page.evaluate('window.printed')).toBe(count)
  },
}

async function copy({ page }: Parameters<Journey>[0], text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
}

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Headings in Norwegian, numbers as numbers and days as days. */
function customersOf(count: number, name: string): Uint8Array {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const headings = ['Kundenavn', 'Land', 'Kundegruppe', 'Leveringssone', 'Kredittgrense', 'Utl\u00f8psdato']
  const row = (no: number) =>
    `${[`${name} ${no}`, 'NO', 'FOOD', 'WEST'].map(text).join('')}<c><v>${no}.25</v></c><c s="1"><v>55153</v></c>`
  const rows = [headings.map(text).join(''), ...Array.from({ length: count }, (_, no) => row(no))]
  const xml = (inner: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${inner}`)
  return zipSync({
    'xl/workbook.xml': xml('<workbook xmlns:r="r"><sheets><sheet name="Kunder" r:id="r1"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': xml('<Relationships><Relationship Id="r1" Target="sheet.xml"/></Relationships>'),
    'xl/styles.xml': xml('<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'),
    'xl/sheet.xml': xml(
      `<worksheet><sheetData>${rows.map((one) => `<row>${one}</row>`).join('')}</sheetData></worksheet>`,
    ),
  })
}
