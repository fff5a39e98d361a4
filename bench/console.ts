// `npm run bench:console`: how long people wait for the first answer of a page, and how many frames are dropped while a
// grid is scrolled, in the browser of the tests. The first argument is the number of transactions (100,000). Beside other
// work the processor time of a frame tells more: 16.7 ms are there for it.
import type { Page } from 'playwright-core'
import { startConsole } from '../test/support/console.ts'

const TRANSACTIONS = Number(process.argv[2] ?? 100_000)
const ROUNDS = 5
const FRAME_MS = 1_000 / 60
const FRAMES = 120
/** Pixels in each frame: some 120 rows a second, and a wheel that is turned fast. */
const SPEEDS = [60, 600]

const LEDGER = '/EN/grid/general-ledger-transactions'
/** The pages, and what shows their first answer. */
const PAGES = {
  home: ['/EN', 'ul[aria-label="Records by document"] a'],
  'grid of customers': ['/EN/grid/customers', '[data-place^="0:"] button'],
  'grid of the ledger': [LEDGER, '[data-place^="0:"] button'],
  'a customer': ['/EN/record/customers/100002', 'main dd'],
} as const

const browser = await startConsole(TRANSACTIONS)
try {
  for (const [name, [path, shown]] of Object.entries(PAGES)) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) times.push(await firstAnswer(path, shown))
    const [fastest = 0, , median = 0, , slowest = 0] = times.sort((one, other) => one - other).map(Math.round)
    console.info(`first answer, ${name}: ${median} ms (${fastest} to ${slowest})`)
  }
  const page = await browser.open()
  await page.goto(`${browser.demo.address}/console${LEDGER}`)
  const grid = page.getByRole('grid')
  await grid.locator('[data-place="0:0"]').waitFor()
  const rows = Number(await grid.getAttribute('aria-rowcount')) - 1
  for (const speed of SPEEDS) {
    const { dropped, drawn, busyMs } = await scroll(page, speed)
    const share = ((100 * dropped) / (dropped + drawn)).toFixed(1)
    console.info(
      `${rows} rows at ${speed} pixels a frame: ${dropped} of ${dropped + drawn} frames dropped (${share} %), ${busyMs.toFixed(1)} ms of processor time each`,
    )
  }
  const began = performance.now()
  await grid.locator('[tabindex="0"]').first().focus()
  await page.keyboard.press('Control+End')
  await grid.locator(`[data-place^="${rows - 1}:"] button`).waitFor()
  console.info(`to the last row: ${Math.round(performance.now() - began)} ms`)
} finally {
  await browser.stop()
}

/** From the begin of the navigation, in a browser that has kept no file of the console. */
async function firstAnswer(path: string, shown: string): Promise<number> {
  const page = await browser.open()
  await page.goto(`${browser.demo.address}/console${path}`, { waitUntil: 'commit' })
  const ms = Number(
    await page.evaluate(`new Promise((done) => {
      const look = () => {
        if (document.querySelector(${JSON.stringify(shown)})?.textContent) done(performance.now())
        else requestAnimationFrame(look)
      }
      look()
    })`),
  )
  await page.context().close()
  return ms
}

async function scroll(page: Page, speed: number): Promise<{ dropped: number; drawn: number; busyMs: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const threadMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0)
  }
  const before = await threadMs()
  const times = (await page.evaluate(`new Promise((done) => {
    const times = []
    const scroller = document.querySelector('[role=grid]')
    const step = (time) => {
      times.push(time)
      scroller.scrollTop += ${speed}
      if (times.length > ${FRAMES}) done(times)
      else requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })`)) as number[]
  const waits = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  const dropped = waits.reduce((sum, wait) => sum + Math.max(0, Math.round(wait / FRAME_MS) - 1), 0)
  return { dropped, drawn: waits.length, busyMs: ((await threadMs()) - before) / waits.length }
}
