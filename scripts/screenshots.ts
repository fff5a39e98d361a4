// `npm run screenshots`: pictures of each page of the console for docs/console, of a fresh demo, in light and dark and
// on a phone. Whoever changes a page looks at them.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startConsole } from '../test/support/console.ts'
import { DEMO_AUTHORIZATION } from '../test/support/demo.ts'

const FOLDER = join(import.meta.dirname, '../docs/console')
const PAGES = {
  home: '/EN',
  grid: '/EN/grid/customers',
  columns: '/EN/grid/customers?columns=customerId,customerName,contactPoints/address/place,relatedValues/relatedValue',
  record: '/EN/record/customers/100002',
  edit: '/EN/record/customers/100002/edit',
  ask: '/EN/query?url=%2Fv1%2Fobjects%2Fcustomers%3F%24groupby%3DcountryCode%26%24aggregate%3Dcount()%20as%20customers',
  documents: '/EN/documents?search=pump',
  new: '/EN/new/customers',
  ledger: '/EN/grid/general-ledger-transactions',
  balances: '/EN/balances/general-ledger-transactions',
  import: '/EN/import/customers',
  integrations: '/EN/integrations',
  service: '/service',
  reference: '/EN/reference?operation=POST%20%2Fv1%2Fcustomers',
  empty: "/EN/grid/customers?filter=customerName%20eq%20'nobody'",
  error: "/EN/grid/customers?filter=custmerName%20eq%20'x'",
  sessions: '/account',
}
const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1200, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1200, height: 800 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const
/** Enough for the flat colours of a page, at a fifth of the size. */
const COLOURS = 64
const SETTLE_MS = 200
/** The usual screens; a page that scrolls sideways in one of them is not shown. */
const WIDTHS = [1280, 1440]

mkdirSync(FOLDER, { recursive: true })
const browser = await startConsole(100_000)
const at = (path: string) => `${browser.demo.address}/console${path}`
try {
  const pages = {
    ...PAGES,
    document: `/EN/documents/${await drawing()}?search=station`,
    lines: `/EN/record/purchase-orders/${await orderOfLines()}/edit`,
    voucher: `/EN/voucher/general-ledger-transactions/${await voucher()}`,
  }
  for (const [look, options] of Object.entries(LOOKS)) {
    const stranger = await browser.unwatched(options)
    await take(await stranger.newPage(), '/sign-in', `sign-in-${look}`)
    await stranger.close()
    const page = await browser.open(options)
    for (const [name, path] of Object.entries(pages)) await take(page, path, `${name}-${look}`)
    // Answers that do not come.
    await page.route('**/v1/objects/suppliers*', () => {})
    await page.goto(at('/EN/grid/suppliers'))
    await page.getByLabel('Loading').first().waitFor()
    await keep(page, `loading-${look}`)
    await page.context().close()
  }
} finally {
  await browser.stop()
}

async function take(page: Page, path: string, name: string): Promise<void> {
  await page.goto(at(path))
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  while ((await page.locator('[aria-busy=true]').count()) > 0) await page.waitForTimeout(SETTLE_MS)
  await keep(page, name)
  const usual = page.viewportSize()
  if (!usual || usual.width < Math.min(...WIDTHS) / 2) return
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...usual, width })
    const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    if (isWider) throw new Error(`${path} is wider than ${width} pixels`)
  }
  await page.setViewportSize(usual)
}

async function keep(page: Page, name: string): Promise<void> {
  await sharp(await page.screenshot())
    .png({ palette: true, colours: COLOURS })
    .toFile(join(FOLDER, `${name}.png`))
}

/** A PDF of several revisions. */
async function drawing(): Promise<string> {
  const url = `${browser.demo.address}/v1/documents?companyId=EN&doctype=DRAWING`
  const { items } = (await (await fetch(url, { headers: DEMO_AUTHORIZATION })).json()) as { items: { id: string }[] }
  return items[0]?.id ?? ''
}

async function voucher(): Promise<string> {
  const asked = 'companyId=EN&posted=true&select=transactionNumber&limit=1&filter=sequenceNumber%20eq%205'
  const url = `${browser.demo.address}/v1/objects/general-ledger-transactions?${asked}`
  const [line] = (await (await fetch(url, { headers: DEMO_AUTHORIZATION })).json()) as { transactionNumber: number }[]
  return String(line?.transactionNumber ?? '')
}

async function orderOfLines(): Promise<string> {
  const asked = 'companyId=EN&select=orderNo&limit=1&filter=lines/any(l:%20l/lineNo%20ge%2060)'
  const url = `${browser.demo.address}/v1/objects/purchase-orders?${asked}`
  const [order] = (await (await fetch(url, { headers: DEMO_AUTHORIZATION })).json()) as { orderNo: string }[]
  return order?.orderNo ?? ''
}
