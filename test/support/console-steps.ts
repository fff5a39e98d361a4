// What a practised person does on a page, by pointer or by the keyboard alone, counted: clicks and keys, and how long they
// take by the keystroke-level model (Card, Moran, Newell: The keystroke-level model for user performance time with
// interactive systems, 1980). A key leads to a thing as it does in a browser: Tab by Tab, and in menus by arrows.
import type { Locator, Page } from 'playwright-core'
import { namesShown } from './console-names.ts'

const KEY_SECONDS = 0.2
const POINT_AND_CLICK_SECONDS = 1.3
/** Before each click, or keys that lead somewhere, and before what is typed elsewhere than in a field so reached. */
const THINK_SECONDS = 1.35
/** Who needs more keys for a single thing goes another way. */
const MOST_KEYS = 80

export type Way = 'pointer' | 'keyboard'

export interface PressedFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

interface Person {
  readonly way: Way
  /** Touches a phone instead of using a mouse. */
  readonly isTouching: boolean
  /** Names of properties, which nobody should read on the way. */
  readonly names: readonly string[]
}

/** The key that leads from what has the focus towards an element; empty once it has it. Run in the page. */
const KEY_TOWARDS = new Function(
  'element',
  `const active = document.activeElement
   if (active === element) return ''
   if (element.tabIndex < 0) return 'ArrowDown'
   const isBehind = active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
   return active === document.body || isBehind ? 'Tab' : 'Shift+Tab'`,
) as (element: unknown) => string

/** What a key does to an element that has the focus; a field is there to be typed into. Run in the page. */
const PRESSING_KEY = new Function(
  'element',
  `if (['radio', 'checkbox'].includes(element.type)) return 'Space'
   return element.matches('input, textarea') ? '' : 'Enter'`,
) as (element: unknown) => string

export class Steps {
  readonly #page: Page
  readonly #person: Person
  readonly #read = new Set<string>()
  keys = 0
  clicks = 0
  #thoughts = 0

  constructor(page: Page, person: Person) {
    this.#page = page
    this.#person = person
  }

  get isKeyboard(): boolean {
    return this.#person.way === 'keyboard'
  }

  get seconds(): number {
    return this.keys * KEY_SECONDS + this.clicks * POINT_AND_CLICK_SECONDS + this.#thoughts * THINK_SECONDS
  }

  /** The names of properties that were read until now. */
  async namesRead(): Promise<readonly string[]> {
    await this.#see()
    return [...this.#read]
  }

  /** A button, a link, a box, an item of a menu, or a field. */
  async click(target: Locator): Promise<void> {
    await this.#think()
    if (this.isKeyboard) {
      await this.#reach(target)
      const key = await target.evaluate(PRESSING_KEY)
      if (key !== '') await this.press(key)
      return
    }
    this.clicks += 1
    if (this.#person.isTouching) await target.tap()
    else await target.click()
  }

  /** A key, or several at once, such as `Control+k`. */
  async press(key: string): Promise<void> {
    this.keys += key.split('+').length
    await this.#page.keyboard.press(key)
  }

  async type(text: string): Promise<void> {
    await this.#think()
    await this.#write(text)
  }

  /** Into a field, in the place of what is there. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.click(field)
    if ((await field.inputValue()) !== '') await this.press('Control+a')
    await this.#write(text)
  }

  /** An item of a `select`, by value. */
  async choose(select: Locator, value: string): Promise<void> {
    await this.#think()
    if (!this.isKeyboard) {
      this.clicks += 2
      await select.selectOption(value)
      return
    }
    await this.#reach(select)
    for (let keys = 0; (await select.inputValue()) !== value; keys++) {
      if (keys > MOST_KEYS) throw new Error(`no key leads to ${value}`)
      await this.press('ArrowDown')
    }
  }

  /** A suggestion for what was typed. */
  async pick(option: Locator): Promise<void> {
    await option.waitFor()
    if (!this.isKeyboard) return this.click(option)
    const chosen = option.and(this.#page.locator('[aria-selected=true], [data-combobox-selected]'))
    for (let keys = 0; (await chosen.count()) === 0; keys++) {
      if (keys > MOST_KEYS) throw new Error(`no key leads to ${option}`)
      await this.press('ArrowDown')
      await this.#drawn()
    }
    await this.press('Enter')
  }

  /** A file, in the dialog that a button opens: two clicks there, or its name and Enter. */
  async attach(button: Locator, file: PressedFile): Promise<void> {
    const chooser = this.#page.waitForEvent('filechooser')
    await this.click(button)
    if (this.isKeyboard) this.keys += file.name.length + 1
    else this.clicks += 2
    await (await chooser).setFiles(file)
  }

  async #write(text: string): Promise<void> {
    this.keys += text.length
    await this.#page.keyboard.type(text)
  }

  /** Leads the focus there. */
  async #reach(target: Locator): Promise<void> {
    await target.and(this.#page.locator(':not(:disabled)')).waitFor()
    for (let keys = 0; ; keys++) {
      const key = await target.evaluate(KEY_TOWARDS)
      if (key === '') return
      if (keys > MOST_KEYS) throw new Error(`no key leads to ${target}`)
      await this.press(key)
      // The focus of menus and grids follows in the next frame.
      if (key === 'ArrowDown') await this.#drawn()
    }
  }

  async #drawn(): Promise<void> {
    await this.#page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  }

  async #think(): Promise<void> {
    this.#thoughts += 1
    await this.#see()
  }

  /** What stands on the page before the next step. */
  async #see(): Promise<void> {
    for (const name of await namesShown(this.#page, this.#person.names)) this.#read.add(name)
  }
}
