// What a practised person does on a page, counted: clicks and keys, and how long they take by the keystroke-level model
// (Card, Moran, Newell: The keystroke-level model for user performance time with interactive systems, 1980).
import type { Locator, Page } from 'playwright-core'

const KEY_SECONDS = 0.2
const POINT_AND_CLICK_SECONDS = 1.3
/** Before each click, and before what is typed. */
const THINK_SECONDS = 1.35

export class Steps {
  readonly #page: Page
  keys = 0
  clicks = 0
  #thoughts = 0

  constructor(page: Page) {
    this.#page = page
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    this.#thoughts += 1
    await target.click()
  }

  /** A key, or several at once, such as `Control+k`. */
  async press(key: string): Promise<void> {
    this.keys += key.split('+').length
    await this.#page.keyboard.press(key)
  }

  async type(text: string): Promise<void> {
    this.keys += text.length
    this.#thoughts += 1
    await this.#page.keyboard.type(text)
  }

  get seconds(): number {
    return this.keys * KEY_SECONDS + this.clicks * POINT_AND_CLICK_SECONDS + this.#thoughts * THINK_SECONDS
  }
}
