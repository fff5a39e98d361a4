// The console in a real browser, of a demo or of any service. Whatever the policy refuses, and whatever is asked of
// another host, is told.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Demo, startDemo } from './demo.ts'
import { PASSWORD, PASSWORD_HASH } from './passwords.ts'
import { kill, serve, temporaryFolder } from './process.ts'
import { CLIENT_SECRET } from './world.ts'

export interface WatchedBrowser {
  /** An empty page of a new browser in which nobody has signed in. */
  empty(options?: BrowserContextOptions): Promise<Page>
  /** A new browser in which nobody has signed in, and of which nothing is told. */
  unwatched(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Refusals of the policy, errors of scripts, and requests to other hosts. */
  readonly told: readonly string[]
  close(): Promise<void>
}

export interface ConsoleBrowser extends Pick<WatchedBrowser, 'unwatched' | 'told'> {
  readonly demo: Demo
  /** An empty page of a new browser in which the demo's person has signed in: all have one session. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** The first page of one in which the person has signed in just now. */
  signIn(options?: BrowserContextOptions): Promise<Page>
  /** A request of the console's own interface, as the person. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Leaves nothing of what the person has chosen in the company, and in none. */
  forgetChoices(): Promise<void>
  stop(): Promise<void>
}

const LOOK = { locale: 'en-GB', reducedMotion: 'reduce' } as const

/** In a single process, closing one window would end all. And there is no graphics processor to use. */
const NOT_ASKED = /^--(?:single-process|no-zygote|ignore-gpu-blocklist|in-process-gpu)$/

/** `address`: of the service, the only host that may be asked. */
export async function openBrowser(address: string): Promise<WatchedBrowser> {
  const [{ chromium }, { default: packed }] = await Promise.all([
    import('playwright-core'),
    import('@sparticuz/chromium'),
  ])
  // Pages are drawn in two dimensions: to imitate a graphics processor for that costs a sixth of such a test's time.
  packed.setGraphicsMode = false
  const executablePath = await packed.executablePath()
  const browser: Browser = await onceUnpacked(() =>
    chromium.launch({
      args: [...packed.args.filter((argument) => !NOT_ASKED.test(argument)), '--disable-gpu'],
      executablePath,
      headless: true,
    }),
  )
  const told: string[] = []
  const unwatched = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ ...LOOK, ...options })
    // A busy machine may take longer than Playwright's thirty seconds.
    context.setDefaultTimeout(180_000)
    return context
  }
  return {
    told,
    empty: async (options) => {
      const context = await unwatched(options)
      await watch(context, address, told)
      return context.newPage()
    },
    unwatched,
    close: () => browser.close(),
  }
}

/** Another process of the same run may be unpacking the program just now, which cannot be started until it is whole. */
async function onceUnpacked<Started>(start: () => Promise<Started>): Promise<Started> {
  for (;;) {
    try {
      return await start()
    } catch (error) {
      if (!String(error).includes('ETXTBSY')) throw error
      await delay(100)
    }
  }
}

/** The console of a new demo with so many transactions, or of one that runs. */
export async function startConsole(given: number | Demo): Promise<ConsoleBrowser> {
  const demo = typeof given === 'number' ? await startDemo(given) : given
  const browser = await openBrowser(demo.address)
  const signIn = async (options: BrowserContextOptions = {}) => {
    const page = await browser.empty(options)
    await page.goto(`${demo.address}/`)
    await page.getByRole('button', { name: /^Look around as/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Example Nordic AS' }).waitFor()
    return page
  }
  const first = await signIn()
  const { cookies } = await first.context().storageState()
  await first.context().close()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'x-requested-with': 'tabularium-console', 'content-type': 'application/json' }
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${demo.address}/console/api${path}`, { ...init, headers })
  return {
    demo,
    told: browser.told,
    unwatched: browser.unwatched,
    open: (options = {}) => browser.empty({ ...options, storageState: { cookies, origins: [] } }),
    signIn,
    ask,
    forgetChoices: async () => {
      for (const company of ['EN', '']) await ask(`/settings?companyId=${company}`, { method: 'PUT', body: '{}' })
    },
    stop: async () => {
      await browser.close()
      await demo.stop()
    },
  }
}

export interface ServedConsole extends Pick<WatchedBrowser, 'told'> {
  /** Such as `http://127.0.0.1:41234`. */
  readonly address: string
  /** A page of the console after the person has signed in there. */
  signIn(path: string, options?: BrowserContextOptions): Promise<Page>
  stop(): Promise<void>
}

/** The console of a setup, as `change` leaves it, where a person has some of its roles in the company EN. */
export async function serveConsole(
  file: string,
  roles: readonly string[],
  change: (setup: string) => string = (setup) => setup,
): Promise<ServedConsole> {
  const folder = temporaryFolder()
  const setup = join(folder.path, 'setup.yaml')
  const person = `users:\n  - { id: kari, defaultCompany: EN, roles: { EN: [${roles}] }, passwordHash: "${PASSWORD_HASH}" }`
  writeFileSync(setup, change(readFileSync(file, 'utf8').replace('users:', person)))
  const service = await serve(['--data', join(folder.path, 'data'), '--setup', setup], {
    environment: { TEST_CLIENT_SECRET: CLIENT_SECRET },
  })
  const { address } = service
  const browser = await openBrowser(address)
  return {
    address,
    told: browser.told,
    signIn: async (path, options = {}) => {
      const page = await browser.empty(options)
      await page.goto(`${address}/console${path}`)
      await page.getByLabel('User').fill('kari')
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      return page
    },
    stop: async () => {
      await browser.close()
      await kill(service)
      folder.remove()
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
