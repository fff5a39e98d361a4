// Journeys of a practised person through the console, from the first page on, by pointer and by the keyboard alone: the
// clicks and keys of each are counted, and none takes as long as half a minute. On no page on the way a name of a property
// is read, and none ends at a finding of WCAG 2.2 AA. `npm test` walks some of them by pointer.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleBrowser, startConsole } from '../support/console.ts'
import { propertyNames } from '../support/console-names.ts'
import { Steps, type Way } from '../support/console-steps.ts'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'
import { ADMINISTRATION_JOURNEYS } from '../support/journeys/administration.ts'
import { withRequests } from '../support/journeys/company.ts'
import { LIST_JOURNEYS } from '../support/journeys/lists.ts'
import { RECORD_JOURNEYS } from '../support/journeys/records.ts'
import { heading, lookOf, readingIn } from '../support/journeys/walk.ts'
import { IS_LONG } from '../support/reliability-test.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const isInstalled = ['playwright-core', '@sparticuz/chromium'].every((name) => existsSync(join(modules, name)))

const MOST_SECONDS = 30
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const JOURNEYS = { ...LIST_JOURNEYS, ...RECORD_JOURNEYS, ...ADMINISTRATION_JOURNEYS }
const NAMES = Object.keys(JOURNEYS)
/** Those of `npm test`. */
const SHORTLY = ['takes in 2,000', 'changes a field of all', 'adds a person']
const WALKS = NAMES.flatMap((name): [string, Way][] =>
  IS_LONG
    ? [
        [name, 'pointer'],
        [name, 'keyboard'],
      ]
    : SHORTLY.some((start) => name.startsWith(start))
      ? [[name, 'pointer']]
      : [],
)

describe.skipIf(!isInstalled)('A practised person', () => {
  let browser: ConsoleBrowser
  let names: readonly string[]
  const counted: object[] = []
  const asked = (path: string, init: RequestInit = {}) =>
    fetch(browser.demo.address + path, {
      ...init,
      headers: { ...DEMO_AUTHORIZATION, 'content-type': 'application/json' },
    })

  beforeAll(async () => {
    browser = await startConsole(2_000)
    const { setup } = (await (await browser.ask('/administration/setup')).json()) as { setup: string }
    const body = JSON.stringify({ setup: withRequests(setup) })
    const applied = await browser.ask('/administration/setup', { method: 'POST', body })
    expect([applied.status, await applied.text()]).toEqual([200, expect.any(String)])
    names = await propertyNames(browser.demo.address)
  })
  afterEach(() => browser.forgetChoices())
  afterAll(async () => {
    console.table(counted)
    await browser?.stop()
  })

  it('has 24 journeys', () => {
    expect(NAMES.length).toBe(24)
  })

  it.each(WALKS)('%s, by %s', async (name, way) => {
    const { width, colorScheme, language, context } = lookOf(NAMES.indexOf(name), way)
    const reading = await readingIn(language, browser.demo.address)
    const page = await browser.open(context)
    await page.goto(`${browser.demo.address}/console/EN`)
    await heading(page, 'Example Nordic AS')
    const isPhone = width < 640
    const steps = new Steps(page, { way, isTouching: context.hasTouch === true, names })
    const json = async <Answer>(path: string) => (await (await asked(path)).json()) as Answer
    await JOURNEYS[name]?.({ ...reading, page, steps, way, isPhone, asked, json })
    const { keys, clicks, seconds } = steps
    counted.push({ name, way, width, colorScheme, language, keys, clicks, seconds: Math.round(seconds) })
    expect(await steps.namesRead()).toEqual([])
    const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(seconds).toBeLessThan(MOST_SECONDS)
    await page.context().close()
  })

  it('asked no other host in all this, and nothing that the policy refuses', () => {
    expect(browser.told).toEqual([])
  })
})
