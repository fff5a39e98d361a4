// `npm run screenshots`: pictures of each page of the console for docs/console, of a fresh demo, in light and dark and
// on a phone. Whoever changes a page looks at them.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { startConsole } from '../test/support/console.ts'

const FOLDER = join(import.meta.dirname, '../docs/console')
const PAGES = {
  home: '/EN',
  grid: '/EN/grid/customers',
  record: '/EN/record/customers/100002',
  edit: '/EN/record/customers/100002/edit',
  ask: '/EN/query?url=%2Fv1%2Fobjects%2Fcustomers%3F%24groupby%3DcountryCode%26%24aggregate%3Dcount()%20as%20customers',
  documents: '/EN/documents?search=pump',
  new: '/EN/new/customers',
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

mkdirSync(FOLDER, { recursive: true })
const browser = await startConsole(100_000)
try {
  for (const [look, options] of Object.entries(LOOKS)) {
    const page = await browser.open(options)
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(`${browser.demo.address}/console${path}`)
      await page.waitForLoadState('networkidle')
      const file = join(FOLDER, `${name}-${look}.png`)
      await sharp(await page.screenshot())
        .png({ palette: true, colours: COLOURS })
        .toFile(file)
    }
    await page.context().close()
  }
} finally {
  await browser.stop()
}
