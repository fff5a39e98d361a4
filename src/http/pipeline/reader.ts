// The language of whoever reads an answer.
import type { IncomingHttpHeaders } from 'node:http'
import { getOrInsert } from '../../base/memo.ts'
import type { Problem } from '../../errors/problem.ts'
import { type TitleOf, type Translate, tagOfLanguage, translated, untranslated } from '../../errors/sentences.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { readersLanguage, titleOfNamed } from '../../model/titles.ts'

const OWN_HEADER = 'x-erp-language'
/** Behind the languages of that header; no language, and of weight 0. */
const IS_OWN = ', x-own;q=0'

/** `X-ERP-Language` wins over what a browser or a library sends of itself. All that follows reads one header. */
export function preferOwnLanguage(headers: IncomingHttpHeaders): void {
  const own = headers[OWN_HEADER]
  if (typeof own === 'string' && own !== '') headers['accept-language'] = own + IS_OWN
}

/**
 * The language to put messages into; undefined for the sentences of the contract, which are English: whoever names
 * English without a header of this service gets them to the letter.
 */
function messageLanguage(acceptLanguage: string | undefined): string | undefined {
  const language = readersLanguage(acceptLanguage)
  return language === 'EN' && !acceptLanguage?.endsWith(IS_OWN) ? undefined : language
}

/** Puts messages about records of a document into the language that is asked for; they stay where none is. */
export function translatorFor(
  acceptLanguage: string | undefined,
  document?: Pick<DocumentDefinition, 'name' | 'properties'>,
): Translate {
  const language = messageLanguage(acceptLanguage)
  if (language === undefined) return untranslated
  return translatorInto(language, (name) => titleOfNamed(name, language, document))
}

/** Many rows, and many items of a record, have the same finding. */
function translatorInto(language: string, titleOf: TitleOf): Translate {
  const said = new Map<string, string>()
  return (message) => getOrInsert(said, message, () => translated(message, language, titleOf))
}

/** The problem in the language that is asked for; as it is where none is. */
export function translatedProblem(problem: Problem, acceptLanguage: string | undefined): Problem {
  const language = messageLanguage(acceptLanguage)
  if (language === undefined) return problem
  return problem.translated(translatorInto(language, problem.titleOf ?? titleOfNamed))
}

/** For an answer that is in a language: of which, and what it depends on. */
export function languageHeaders(acceptLanguage: string | undefined): Readonly<Record<string, string>> {
  const language = messageLanguage(acceptLanguage)
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
