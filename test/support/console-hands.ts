// How a person uses a page of the console: with a mouse, by the keyboard alone, or by touching a phone. So a journey is
// written once, and walked in each of these ways.
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { firstOf } from './reliability-test.ts'

export interface Hands {
  readonly look: BrowserContextOptions
  /** A button, a link, a radio button, a check box or an item of a menu. */
  press(target: Locator): Promise<void>
  /** In the place of what is there. */
  write(target: Locator, text: string): Promise<void>
  /** Takes an item of a `select`, by value. */
  choose(target: Locator, value: string): Promise<void>
  /** The first of the suggestions for what is typed. */
  pick(first: Locator): Promise<void>
  /** The form of a page. */
  save(page: Page): Promise<void>
}

export const PHONE = { viewport: { width: 390, height: 844 } } as const
/** More than any menu or list of a page has. */
const MOST_STEPS = 40

const pointing = (look: BrowserContextOptions, press: (target: Locator) => Promise<void>): Hands => ({
  look,
  press,
  write: (target, text) => target.fill(text),
  choose: async (target, value) => void (await target.selectOption(value)),
  pick: press,
  save: (page) => press(page.getByRole('button', { name: /^Save/ })),
})

const KEYBOARD: Hands = {
  look: {},
  press: async (target) => {
    await reach(target)
    const isChoice = ['radio', 'checkbox'].includes((await target.getAttribute('type')) ?? '')
    await target.page().keyboard.press(isChoice ? 'Space' : 'Enter')
  },
  write: async (target, text) => {
    await reach(target)
    const { keyboard } = target.page()
    await keyboard.press('Control+a')
    await keyboard.press('Delete')
    await keyboard.type(text)
  },
  choose: async (target, value) => {
    await reach(target)
    const { keyboard } = target.page()
    await keyboard.press('Home')
    for (let steps = 0; (await target.inputValue()) !== value; steps++) {
      if (steps > MOST_STEPS) throw new Error(`no key leads to ${value}`)
      await keyboard.press('ArrowDown')
    }
  },
  pick: async (first) => {
    await first.waitFor()
    await first.page().keyboard.press('ArrowDown')
    await first.page().keyboard.press('Enter')
  },
  save: (page) => page.keyboard.press('Control+s'),
}

/** Tab leads to what is in its order; to items of menus and the like the arrows do. */
async function reach(target: Locator): Promise<void> {
  await target.and(target.page().locator(':not(:disabled)')).waitFor()
  if ((await target.getAttribute('tabindex')) !== '-1') return target.focus()
  const grid = target.locator('xpath=ancestor::*[@role="grid"]')
  if ((await grid.count()) > 0) await grid.locator('[role=gridcell][tabindex="0"]').focus()
  const focused = target.and(target.page().locator(':focus'))
  for (let steps = 0; (await focused.count()) === 0; steps++) {
    if (steps > MOST_STEPS) throw new Error(`no key leads to ${target}`)
    await target.page().keyboard.press('ArrowDown')
    // The focus follows in the next frame.
    await target.page().evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  }
}

const MOUSE = pointing({}, (target) => target.click())
const TOUCH = pointing({ ...PHONE, hasTouch: true, isMobile: true }, (target) => target.tap())

const ALL_WAYS: readonly (readonly [string, Hands])[] = [
  ['by the keyboard alone', KEYBOARD],
  ['by touch on a phone', TOUCH],
  ['with a mouse', MOUSE],
]
/** By the keyboard in `npm test`, in all ways in the long form. */
export const WAYS = firstOf(ALL_WAYS)
