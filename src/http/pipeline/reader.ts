// The language of whoever reads an answer.
import type { IncomingHttpHeaders } from 'node:http'
import { getOrInsert } from '../../base/memo.ts'
import type { Problem } from '../../errors/problem.ts'
import { type TitleOf, type Translate, tagOfLanguage, translated, untranslated } from '../../errors/sentences.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { readersLanguage, titleOfNamed } from '../../model/titles.ts'

const OWN_HEADER = 'x-erp-language'

/** `X-ERP-Language` wins over what a browser or a library sends of itself. All that follows reads one header. */
export function preferOwnLanguage(headers: IncomingHttpHeaders): void {
  if (headers[OWN_HEADER]) headers['accept-language'] = headers[OWN_HEADER] as string
}

/**
 * The language to put messages into; undefined for the sentences of the contract, which are English: whoever names
 * English without a header of this service gets them to the letter.
 */
export function messageLanguageOf(headers: IncomingHttpHeaders): string | undefined {
  const language = readersLanguage(headers['accept-language'])
  return language === 'EN' && !headers[OWN_HEADER] ? undefined : language
}

/** Puts messages about records of a document into a language; they stay without one. */
export function translatorFor(
  language: string | undefined,
  document?: Pick<DocumentDefinition, 'name' | 'properties'>,
): Translate {
  if (language === undefined) return untranslated
  return translatorInto(language, (name) => titleOfNamed(name, language, document))
}

/** Many rows, and many items of a record, have the same finding. */
function translatorInto(language: string, titleOf: TitleOf): Translate {
  const said = new Map<string, string>()
  return (message) => getOrInsert(said, message, () => translated(message, language, titleOf))
}

/** The problem in a language; as it is without one. */
export function translatedProblem(problem: Problem, language: string | undefined): Problem {
  if (language === undefined) return problem
  return problem.translated(translatorInto(language, problem.titleOf ?? titleOfNamed))
}

/** For an answer that is in a language: of which, and what it depends on. */
export function languageHeaders(language: string | undefined): Readonly<Record<string, string>> {
  return language === undefined
    ? {}
    : { 'content-language': tagOfLanguage(language), vary: `accept-language, ${OWN_HEADER}` }
}

/** Not with the quality 0, which excludes HTML. */
const ACCEPTS_HTML = /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/** Whether a browser with a person at it asks: it accepts HTML and carries no credentials. */
export function isOfBrowser({ authorization, accept = '' }: IncomingHttpHeaders): boolean {
  return authorization === undefined && ACCEPTS_HTML.test(accept)
}
