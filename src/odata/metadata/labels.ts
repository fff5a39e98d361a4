// What people call entity sets and their members, in the language of a request. Programs, which name none, get no
// labels, and descriptions in English.
import { descriptionIn, documentTitle, propertyTitle, textTitle } from '../../model/titles.ts'
import type { EntitySet, ODataProperty } from './entity-set.ts'

/** Other than the vocabularies of OASIS, this one of SAP has a term for it, which user interfaces read. */
export const COMMON = 'com.sap.vocabularies.Common.v1'
export const COMMON_URL = 'https://sap.github.io/odata-vocabularies/vocabularies/Common.xml'

/** Each answers undefined where nothing is labelled or described. */
export interface Labels {
  set(set: EntitySet): string | undefined
  member(set: EntitySet, name: string, one: ODataProperty): string | undefined
  navigation(set: EntitySet, name: string): string | undefined
  description(one: ODataProperty): string | undefined
}

const describedBy = (languages: readonly string[]) => (one: ODataProperty) => {
  const text = one.kind === 'value' ? one.property.description : undefined
  return text === undefined ? undefined : descriptionIn(text, languages)
}

const NO_LABELS: Labels = {
  set: () => undefined,
  member: () => undefined,
  navigation: () => undefined,
  description: describedBy([]),
}

export function labelsIn(languages: readonly string[]): Labels {
  if (languages.length === 0) return NO_LABELS
  return {
    set({ definition, document }) {
      const [, list] = namesIn(definition.name)
      const title = documentTitle(document.common, languages)
      if (list === undefined) return title
      const property = document.common.properties[list] ?? {}
      return `${title} / ${propertyTitle(document.common.name, list, property, languages)}`
    },
    member({ definition }, name, one) {
      const [document] = namesIn(definition.name)
      const ownName = one.kind === 'text' ? name.replace(/_text\d*$/, '') : name
      const title = propertyTitle(document, ownName, one.property, languages)
      return one.kind === 'text' ? textTitle(title, languages) : title
    },
    navigation({ definition, navigation }, name) {
      const [document] = namesIn(definition.name)
      return propertyTitle(document, name, navigation.get(name)?.property ?? {}, languages)
    },
    description: describedBy(languages),
  }
}

/** The items of a list are the document `customers/contactPoints`. */
function namesIn(name: string): readonly [document: string, list: string | undefined] {
  const [document = name, list] = name.split('/')
  return [document, list]
}
