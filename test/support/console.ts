// The console of a demo in a real browser. Whatever the policy refuses, and whatever is asked of another host, is told.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Demo, startDemo } from './demo.ts'

export interface ConsoleBrowser {
  readonly demo: Demo
  /** A page of a new browser, signed in as the demo's person. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** A new browser in which nobody has signed in, and of which nothing is told. */
  unwatched(): Promise<BrowserContext>
  /** Refusals of the policy, errors of scripts, and requests to other hosts. */
  readonly told: readonly string[]
  stop(): Promise<void>
}

const LOOK = { locale: 'en-GB', reducedMotion: 'reduce' } as const

export async function startConsole(transactions: number): Promise<ConsoleBrowser> {
  const [{ chromium }, { default: packed }] = await Promise.all([
    import('playwright-core'),
    import('@sparticuz/chromium'),
  ])
  const demo = await startDemo(transactions)
  const browser: Browser = await chromium.launch({
    // In a single process, closing one window would end all.
    args: packed.args.filter((argument) => !/^--(?:single-process|no-zygote)$/.test(argument)),
    executablePath: await packed.executablePath(),
    headless: true,
  })
  const told: string[] = []
  return {
    demo,
    told,
    unwatched: () => browser.newContext(LOOK),
    open: async (options = {}) => {
      const context = await browser.newContext({ ...LOOK, ...options })
      await watch(context, demo.address, told)
      const page = await context.newPage()
      await page.goto(`${demo.address}/`)
      await page.getByRole('button', { name: /^Look around as/ }).click()
      await page.getByRole('heading', { level: 1, name: 'Example Nordic AS' }).waitFor()
      return page
    },
    stop: async () => {
      await browser.close()
      await demo.stop()
    },
  }
}

async function watch(context: BrowserContext, address: string, told: string[]): Promise<void> {
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(address) && !url.startsWith('blob:')) told.push(`asked ${url}`)
  })
  context.on('weberror', (error) => told.push(String(error.error())))
  await context.exposeBinding('tellRefusal', (_source, what: string) => void told.push(what))
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (violation) =>
    tellRefusal(violation.violatedDirective + ' ' + violation.blockedURI + ' ' + violation.sample))`)
}
