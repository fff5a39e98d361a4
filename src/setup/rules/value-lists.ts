// The value lists of a company: legal codes and their titles in each language, and what the lists are called and mean.
import { defined } from '../../base/defined.ts'
import { descriptionIn, languageCode, titleIn } from '../../model/titles.ts'
import type { NamesSetup } from '../file/schema-parts.ts'
import type { ValueListSetup } from '../file/setup-schema.ts'

type CodesSetup = Readonly<Record<string, string | Readonly<Record<string, string>>>>
type DescribedList = Extract<ValueListSetup, { codes: object }>

const isDescribed = (list: ValueListSetup): list is DescribedList => typeof list.codes === 'object'

/** The codes of a list, which stand in it alone or beside what people call it. */
export const codesIn = (list: ValueListSetup): CodesSetup => (isDescribed(list) ? list.codes : list)

export class ValueLists {
  /** In upper case, the default language first. */
  readonly languages: readonly string[]
  readonly #lists: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, string>>>
  readonly #names: ReadonlyMap<string, NamesSetup>
  readonly #defaultLanguage: string
  /** By the code that a request names them by. */
  readonly #byCode: ReadonlyMap<string, string>

  constructor(lists: Readonly<Record<string, ValueListSetup>>, language: string) {
    this.#defaultLanguage = language
    this.#lists = new Map(Object.entries(lists).map(([name, list]) => [name, titlesOf(codesIn(list), language)]))
    this.#names = new Map(Object.entries(lists).flatMap(([name, list]) => (isDescribed(list) ? [[name, list]] : [])))
    const titleLanguages = [...this.#lists.values()].flatMap((codes) =>
      [...codes.values()].flatMap((titles) => [...titles.keys()]),
    )
    this.languages = [...new Set([language, ...titleLanguages])]
    this.#byCode = new Map(this.languages.toReversed().map((one) => [languageCode(one), one]))
  }

  get names(): Iterable<string> {
    return this.#lists.keys()
  }

  has(name: string, code: string): boolean {
    return this.#lists.get(name)?.has(code) ?? false
  }

  /** What people call a list, and what it means, as far as the setup says it. */
  wordsOf(name: string, languages: readonly string[]): { readonly title?: string; readonly description?: string } {
    const { title, description } = this.#names.get(name) ?? {}
    return defined({
      title: titleIn(title, languages),
      description: description && descriptionIn(description, languages),
    })
  }

  /** Every code in every language of the company; a fallback is the title of another language. */
  rowsOf(name: string) {
    return [...(this.#lists.get(name) ?? [])].flatMap(([code, titles]) =>
      this.languages.map((language) => {
        const title = titles.get(language)
        return { name, language, code, title: title ?? this.#fallback(code, titles), is_fallback: title === undefined }
      }),
    )
  }

  #fallback(code: string, titles: ReadonlyMap<string, string>): string {
    return titles.get(this.#defaultLanguage) ?? [...titles.values()][0] ?? code
  }

  /** The best available language for the preferred ones (from `Accept-Language`, best first). */
  languageFor(preferred: readonly string[]): string {
    for (const one of preferred) {
      const language = this.#byCode.get(languageCode(one))
      if (language !== undefined) return language
    }
    return this.#defaultLanguage
  }
}

function titlesOf(codes: CodesSetup, language: string): Map<string, Map<string, string>> {
  return new Map(
    Object.entries(codes).map(([code, titles]) => [
      code,
      typeof titles === 'string'
        ? new Map([[language, titles]])
        : new Map(Object.entries(titles).map(([one, title]) => [one.toUpperCase(), title])),
    ]),
  )
}
