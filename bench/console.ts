// `npm run bench:console`: how long people wait for the first answer of a page and after a key or a click, how long a
// frame takes while a grid is scrolled, and how much memory stays, in the browser of the tests. The first argument is the
// number of transactions (100,000), or the address of a demo that runs. Beside other work the processor time of a frame
// tells more: 20 ms are there for it at 50 frames a second.
import { loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import { startConsole } from '../test/support/console.ts'

const ROUNDS = 5
const FRAMES = 300
const ROW_HEIGHT = 30
const MB = 1_000_000
/** The browser tells of no interaction that took less (Event Timing API). */
const LEAST_TOLD_MS = 16
/** A practised person types some 8 letters a second. */
const KEY_MS = 120
/** Pixels in each frame: some 120 rows a second, and a wheel that is turned fast. */
const SPEEDS = [60, 600]

const LEDGER = '/EN/grid/general-ledger-transactions'
/** The pages, and what shows their first answer. */
const PAGES = {
  home: ['/EN', 'ul[aria-label="Figures"] a'],
  'grid of customers': ['/EN/grid/customers', '[data-place^="0:"] a'],
  'grid of the ledger': [LEDGER, '[data-place^="0:"] a'],
  'a customer': ['/EN/record/customers/100002', 'main dd'],
} as const

const [, , given = '100000'] = process.argv
const running = { address: given, stop: async () => {} }
const browser = await startConsole(given.startsWith('http') ? running : Number(given))
try {
  for (const [name, [path, shown]] of Object.entries(PAGES)) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) times.push(await firstAnswer(path, shown))
    const [fastest = 0, , median = 0, , slowest = 0] = times.sort((one, other) => one - other).map(Math.round)
    console.info(`first answer, ${name}: ${median} ms (${fastest} to ${slowest})`)
  }
  const page = await browser.open()
  const { count, median, late, longest, busyMs } = await interactions(page)
  console.info(
    `${count} keys and clicks: ${median} ms to the next frame, ${late} at the 95th percentile, ${longest} the longest; ${busyMs.toFixed(1)} ms of processor time each; load ${loadavg()[0]?.toFixed(1)}`,
  )
  await page.goto(`${browser.demo.address}/console${LEDGER}`)
  const grid = page.getByRole('grid')
  await grid.locator('[data-place="0:0"]').waitFor()
  // The headings and the sums are rows too.
  const rows = Number(await grid.getAttribute('aria-rowcount')) - (await grid.locator('> [role=row]').count())
  const heapBefore = await heapMb(page)
  for (const speed of SPEEDS) {
    const { median, late, busyMs, rowsEach } = await scroll(page, speed)
    const perRow = ((1_000 * busyMs) / rowsEach).toFixed(0)
    console.info(
      `${rows} rows at ${speed} pixels a frame, ${rowsEach.toFixed(1)} rows: ${median.toFixed(1)} ms a frame, ${late.toFixed(1)} at the 95th percentile; ${busyMs.toFixed(1)} ms of processor time a frame, ${perRow} us a row; load ${loadavg()[0]?.toFixed(1)}`,
    )
  }
  console.info(`heap: ${heapBefore.toFixed(1)} MB before, ${(await heapMb(page)).toFixed(1)} MB after`)
  const began = performance.now()
  await grid.locator('[tabindex="0"]').first().focus()
  await page.keyboard.press('Control+End')
  await grid
    .locator(`[data-place^="${rows - 1}:"] a`)
    .first()
    .waitFor()
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

interface Waited {
  readonly count: number
  readonly median: number
  readonly late: number
  readonly longest: number
  /** Processor time of the page's thread for each, with the answers that it waits for. */
  readonly busyMs: number
}

/** Keys and clicks on the usual ways through lists, search, records, forms, balances and lines of orders. */
async function interactions(page: Page): Promise<Waited> {
  const press = async (key: string, times = 1) => {
    for (let time = 0; time < times; time++) {
      await page.keyboard.press(key)
      await page.waitForTimeout(KEY_MS)
    }
  }
  const type = (text: string) => page.keyboard.type(text, { delay: KEY_MS })
  const go = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  const inGrid = async (...keys: readonly [key: string, times: number][]) => {
    await page.locator('[role=grid] [data-place] a').first().waitFor()
    await page.locator('[role=grid] [tabindex="0"]').first().focus()
    for (const [key, times] of keys) await press(key, times)
  }
  await page.goto(`${browser.demo.address}/console/EN`)
  await page.locator('ul[aria-label="Figures"] a').first().waitFor()
  await page.evaluate(`(() => {
    globalThis.tookMs = new Map()
    const note = ({ interactionId: id, duration }) => id && tookMs.set(id, Math.max(duration, tookMs.get(id) ?? 0))
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: 'event', durationThreshold: ${LEAST_TOLD_MS} })
    globalThis.before = performance.interactionCount
  })()`)
  const threadMs = await threadClock(page)
  const before = await threadMs()
  await go('General ledger')
  await inGrid(['ArrowDown', 10], ['PageDown', 5], ['Control+End', 1])
  await go('Balances')
  await go('Customers')
  await inGrid(['ArrowDown', 15], ['ArrowRight', 4], ['PageDown', 5], ['Control+End', 1], ['Control+Home', 1])
  for (let click = 0; click < 2; click++) await page.getByRole('columnheader', { name: 'Customer name' }).click()
  await press('/')
  await type('solheim')
  await page.getByRole('dialog').getByRole('option').first().waitFor()
  await press('ArrowDown', 3)
  await press('Enter')
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).waitFor()
  await type('Some name')
  for (let field = 0; field < 5; field++) {
    await press('Tab')
    await type('ab')
  }
  const [median, late, longest, count] = (await page.evaluate(`(() => {
    const count = performance.interactionCount - before
    const told = [...tookMs.values()].sort((one, other) => one - other)
    const all = [...Array(Math.max(0, count - told.length)).fill(${LEAST_TOLD_MS}), ...told]
    return [all[Math.floor(0.5 * all.length)], all[Math.floor(0.95 * all.length)], all.at(-1), count]
  })()`)) as [number, number, number, number]
  return { count, median, late, longest, busyMs: ((await threadMs()) - before) / count }
}

interface Scrolled {
  /** The times between two frames, in milliseconds. */
  readonly median: number
  readonly late: number
  /** Processor time of the page's thread for a frame. */
  readonly busyMs: number
  readonly rowsEach: number
}

async function scroll(page: Page, speed: number): Promise<Scrolled> {
  const threadMs = await threadClock(page)
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
  const busyMs = ((await threadMs()) - before) / waits.length
  waits.sort((one, other) => one - other)
  const at = (share: number) => waits[Math.floor(share * waits.length)] ?? 0
  const rowsEach = ((await pace(page)) * speed) / ROW_HEIGHT
  return { median: at(0.5), late: at(0.95), busyMs, rowsEach }
}

/** The processor time of the page's thread so far. */
async function threadClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0)
  }
}

/** Rows in each pixel of the scroll bar, in heights of a row. */
async function pace(page: Page): Promise<number> {
  return Number(
    await page.evaluate(`(() => {
      const grid = document.querySelector('[role=grid]')
      const rows = Number(grid.ariaRowCount)
      return Math.max(1, (rows * ${ROW_HEIGHT}) / grid.scrollHeight)
    })()`),
  )
}

/** What the page's scripts keep, after garbage was collected. */
async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / MB
}
