// A journey of a practised person through the console: written once, and walked by pointer and by the keyboard alone, at
// the widths, in the colours and in the languages of a fixed plan, in which each of them occurs equally often.
import { readFileSync } from 'node:fs'
import i18next from 'i18next'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Steps, Way } from '../console-steps.ts'
import { DEMO_AUTHORIZATION } from '../demo.ts'

const LANGUAGES = { en: 'en-GB', nb: 'nb-NO', sv: 'sv-SE', de: 'de-DE' } as const
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const
const SCHEMES = ['light', 'dark'] as const

export type Language = keyof typeof LANGUAGES

export interface Look {
  readonly width: number
  readonly colorScheme: (typeof SCHEMES)[number]
  readonly language: Language
  readonly context: BrowserContextOptions
}

const pick = <Item>(all: readonly Item[], at: number): Item => all[at % all.length] as Item

/** All that there are: 3 widths, 2 schemes, 4 languages. */
const LOOKS: readonly Look[] = Array.from({ length: 24 }, (_, at) => {
  const [viewport, colorScheme] = [pick(SIZES, at), pick(SCHEMES, Math.floor(at / 3))]
  const language = pick(Object.keys(LANGUAGES) as Language[], Math.floor(at / 6))
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = { viewport, colorScheme, locale: LANGUAGES[language], permissions }
  return { width: viewport.width, colorScheme, language, context }
})
/** Between the look by pointer and that by the keyboard: another width, scheme and language. */
const FURTHER = 10

/** How the journey at a place of the list is looked at. Whoever points at a phone touches it. */
export function lookOf(place: number, way: Way): Look {
  const look = pick(LOOKS, place + (way === 'keyboard' ? FURTHER : 0))
  const isTouched = look.width === 390 && way === 'pointer'
  return isTouched ? { ...look, context: { ...look.context, hasTouch: true, isMobile: true } } : look
}

/** What the reader reads: words of the console, and titles of documents and properties. */
export interface Reading {
  readonly language: Language
  /** As `t` of the console. */
  readonly t: (english: string, values?: Readonly<Record<string, string | number>>) => string
  /** What a document is called, or a member of it by path. */
  readonly title: (document: string, path?: string) => Promise<string>
  /** What making a record of a document is called. */
  readonly newText: (document: string) => Promise<string>
  readonly number: (value: number) => string
}

interface Described {
  readonly title?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
}

export async function readingIn(language: Language, address: string): Promise<Reading> {
  const locale = LANGUAGES[language]
  const file = new URL(`../../../console/src/words/${language}.json`, import.meta.url)
  const words = i18next.createInstance()
  await words.init({
    lng: language,
    resources: { [language]: { translation: JSON.parse(readFileSync(file, 'utf8')) } },
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  })
  const asked = async (path: string, accept: string): Promise<unknown> => {
    const headers = { ...DEMO_AUTHORIZATION, accept, 'accept-language': language }
    return (await fetch(`${address}/v1/objects${path}`, { headers })).json()
  }
  const described = async (document: string): Promise<{ title: string; recordTitle: string }> => {
    const all = (await asked('?companyId=EN', 'application/json')) as {
      name: string
      title: string
      recordTitle: string
    }[]
    return all.find(({ name }) => name === document) ?? { title: document, recordTitle: document }
  }
  return {
    language,
    number: (value) => value.toLocaleString(locale, { useGrouping: false, maximumFractionDigits: 3 }),
    t: (english, values = {}) => {
      const written = Object.entries(values).map(([name, value]) => [name, value.toLocaleString(locale)])
      return words.t(english, { ...values, replace: Object.fromEntries(written) })
    },
    newText: async (document) => {
      const { recordTitle } = await described(document)
      const record = language === 'de' ? recordTitle : recordTitle.slice(0, 1).toLowerCase() + recordTitle.slice(1)
      return words.t('New {{record}}', { replace: { record } })
    },
    title: async (document, path) => {
      if (path === undefined) return (await described(document)).title
      const schema = await asked(`/${document}?companyId=EN&posted=true`, 'application/schema+json')
      const member = path
        .split('/')
        .reduce<Described | undefined>((at, name) => membersOf(at)?.[name], schema as Described)
      return member?.title ?? path
    },
  }
}

const membersOf = (described: Described | undefined) => described?.properties ?? described?.items?.properties

export interface Walk extends Reading {
  readonly page: Page
  readonly steps: Steps
  readonly way: Way
  readonly isPhone: boolean
  /** As the client of the demo. */
  readonly asked: (path: string, init?: RequestInit) => Promise<Response>
  readonly json: <Answer>(path: string) => Promise<Answer>
}

export type Journey = (walk: Walk) => Promise<void>

export const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor()

export const button = ({ page, t }: Walk, english: string, values?: Parameters<Reading['t']>[1]): Locator =>
  page.getByRole('button', { name: t(english, values), exact: true }).first()

/** Shows what a phone has below one button: the actions of a list. */
export async function unfold(walk: Walk): Promise<void> {
  if (walk.isPhone) await walk.steps.click(button(walk, 'More'))
}

/** Types into the one search. */
export async function seek(walk: Walk, words: string): Promise<void> {
  const { page, steps, t } = walk
  if (steps.isKeyboard) await steps.press('Control+k')
  else await steps.click(page.getByRole('banner').getByRole('button', { name: t('Search') }))
  await page.getByRole('combobox', { name: t('Search') }).waitFor()
  await steps.type(words)
}

/** Opens the first hit. */
export async function open(walk: Walk, words: string): Promise<void> {
  await seek(walk, words)
  await walk.steps.press('Enter')
  await walk.page.getByRole('combobox', { name: walk.t('Search') }).waitFor({ state: 'hidden' })
}

/** A page of the navigation: by its name in the search, or by a click, on a phone behind the menu. */
export async function goTo(walk: Walk, title: string): Promise<void> {
  const { page, steps, t, isPhone } = walk
  if (steps.isKeyboard) {
    await open(walk, title)
  } else {
    if (isPhone) await steps.click(page.getByRole('button', { name: t('Navigation') }))
    await steps.click(page.getByRole('navigation').getByRole('link', { name: title, exact: true }))
  }
}

/** A part of the administration. */
export async function goToPart(walk: Walk, english: string): Promise<void> {
  const { page, steps, t } = walk
  if (steps.isKeyboard) return open(walk, t(english))
  await goTo(walk, t('Administration'))
  await steps.click(page.getByRole('main').getByRole('link', { name: t(english), exact: true }))
}

export async function goHome(walk: Walk): Promise<void> {
  const { steps, t } = walk
  if (!steps.isKeyboard) return goTo(walk, t('Home'))
  await steps.press('g')
  await steps.press('h')
}

/** A field of a form, which may be needed. */
export const field = async ({ page, title }: Walk, document: string, path: string): Promise<Locator> =>
  page
    .locator('input')
    .and(page.getByLabel(new RegExp(`^${await title(document, path)}( \\*)?$`)))
    .first()

/** The Country of a list is the one of the code. */
export async function filterByCountry(walk: Walk, document: string, code: string): Promise<void> {
  const { page, steps, t, title } = walk
  const country = await title(document, 'countryCode')
  await steps.click(button(walk, 'Add filter'))
  const columns = page.getByRole('combobox', { name: t('Filter by') })
  await page.locator(':focus').and(columns).waitFor()
  await steps.type(country.slice(0, 4))
  await steps.pick(page.getByRole('listbox').getByRole('option', { name: country, exact: true }))
  await page
    .locator(':focus')
    .and(page.getByRole('combobox', { name: t('Value') }))
    .waitFor()
  await steps.type(code)
  await page.getByRole('option', { name: new RegExp(`^${code} `) }).waitFor()
  await steps.press('Enter')
  await page.getByRole('button', { name: new RegExp(`^${country} .*${code} `) }).waitFor()
}

/** The newest notice has the button; keys need not lead there. */
export async function undoLast(walk: Walk): Promise<void> {
  const { page, steps, t } = walk
  const undo = page.getByRole('status').getByRole('button', { name: t('Undo') })
  await undo.waitFor()
  if (steps.isKeyboard) await steps.press('Control+z')
  else await steps.click(undo)
}

/** The form of the page, or of what is open on it. */
export async function save({ page, steps, t }: Walk): Promise<void> {
  if (steps.isKeyboard) return steps.press('Control+s')
  const names = [t('Save'), t('Save {{count}} changes', { count: 1 })]
  await steps.click(page.getByRole('button', { name: new RegExp(`^(?:${names.join('|')})$`) }))
}

/** What somebody else does meanwhile. */
export async function replaced(
  { asked }: Walk,
  path: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const body = JSON.stringify(Object.entries(values).map(([member, value]) => ({ op: 'replace', path: member, value })))
  const { status } = await asked(`${path}?companyId=EN`, { method: 'PATCH', body })
  if (status !== 200) throw new Error(`not changed: ${status}`)
}
