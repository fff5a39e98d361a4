// Journeys of a practised person, from the first page on, by pointer and by the keyboard alone: the clicks and keys of
// each are counted, and none takes as long as half a minute. On no page on the way a name of a property is read, and none
// ends at a finding of WCAG 2.2 AA. `npm test` walks some of them by pointer.
import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleBrowser } from '../console.ts'
import { propertyNames } from '../console-names.ts'
import { Steps, type Way } from '../console-steps.ts'
import { DEMO_AUTHORIZATION } from '../demo.ts'
import { IS_LONG } from '../reliability-test.ts'
import { ADMINISTRATION_JOURNEYS } from './administration.ts'
import { LIST_JOURNEYS } from './lists.ts'
import { RECORD_JOURNEYS } from './records.ts'
import { heading, lookOf, readingIn } from './walk.ts'

const MOST_SECONDS = 30
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const JOURNEYS = { ...LIST_JOURNEYS, ...RECORD_JOURNEYS, ...ADMINISTRATION_JOURNEYS }
const NAMES = Object.keys(JOURNEYS)
/** Those of `npm test`. */
const SHORTLY = [
  'changes a field of all rows that a filter leaves',
  'approves what was asked for',
  'orders goods, with a line',
]
const WALKS: readonly (readonly [string, Way])[] = IS_LONG
  ? NAMES.flatMap((name) => (['pointer', 'keyboard'] as const).map((way) => [name, way] as const))
  : SHORTLY.map((name) => [name, 'pointer'])

/** In the console of a demo. */
export function countJourneys(consoleOf: () => ConsoleBrowser): void {
  describe('A practised person', () => {
    const counted: object[] = []
    let names: readonly string[]
    const asked = (path: string, init: RequestInit = {}) =>
      fetch(consoleOf().demo.address + path, {
        ...init,
        headers: { ...DEMO_AUTHORIZATION, 'content-type': 'application/json' },
      })
    beforeAll(async () => {
      names = await propertyNames(consoleOf().demo.address)
    })
    afterAll(() => console.table(counted))

    it('has 24 journeys', () => {
      expect(NAMES.length).toBe(24)
    })

    it.each(WALKS)('%s, by %s', async (name, way) => {
      const { open, demo } = consoleOf()
      const { width, colorScheme, language, context } = lookOf(NAMES.indexOf(name), way)
      const reading = await readingIn(language, demo.address)
      const page = await open(context)
      await page.goto(`${demo.address}/console/EN`)
      await heading(page, 'Example Nordic AS')
      const steps = new Steps(page, { way, isTouching: context.hasTouch === true, names })
      const json = async <Answer>(path: string) => (await (await asked(path)).json()) as Answer
      await JOURNEYS[name]?.({ ...reading, page, steps, way, isPhone: width < 640, asked, json })
      const { keys, clicks, seconds } = steps
      counted.push({ name, way, width, colorScheme, language, keys, clicks, seconds: Math.round(seconds) })
      expect(await steps.namesRead()).toEqual([])
      const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(seconds).toBeLessThan(MOST_SECONDS)
      await page.context().close()
    })
  })
}
