// Checks the computed properties of a document: what they name is there, has a type that fits, and leads to no circle.
import { termsIn } from '../../model/computed.ts'
import { recordLines, type Term } from '../../model/document.ts'
import type { DocumentSetup } from '../file/document-schema.ts'
import type { Setup } from '../file/setup-schema.ts'
import type { SetupPart } from '../file/yaml-source.ts'
import { computedTerm, type LinesFinder, NotComputable } from '../rules/declared-computed.ts'
import { isComputed, linesOf } from '../rules/declared-properties.ts'

/** Each is computed for each record that is answered. */
const MAX_COMPUTED = 30
/** Each count or sum reads the lines of each record. */
const MAX_OF_LINES = 10

export function checkComputed(setup: Setup, document: DocumentSetup, place: SetupPart): void {
  const here = place.at('properties')
  const names = Object.keys(document.properties).filter((name) => isComputed(document.properties[name]))
  if (names.length === 0 || !areDeclared(setup, document, place)) return
  if (names.length > MAX_COMPUTED)
    here.addAtKey(`a document has at most ${MAX_COMPUTED} computed properties; found ${names.length}`)
  const terms = names.flatMap((name) => {
    const term = checkedTerm(document, name, finderIn(setup), here.at(name, 'computed'))
    const sum = document.sums?.indexOf(name) ?? -1
    if (term?.type === 'string' && sum >= 0)
      place.at('sums', sum).add(`'${name}' is of type string: no sum is made of it`)
    return term ? [...termsIn(term)] : []
  })
  const ofLines = terms.filter(({ kind }) => kind === 'lines').length
  if (ofLines > MAX_OF_LINES)
    here.addAtKey(`a document has at most ${MAX_OF_LINES} counts and sums of lines; found ${ofLines}`)
}

/** Whether the properties that expressions may name are known. */
function areDeclared({ documents = [] }: Setup, document: DocumentSetup, place: SetupPart): boolean {
  const lines = linesOf(document).map(([, { items }]) => documents.findIndex(({ name }) => name === items))
  const places = [place, ...lines.filter((at) => at >= 0).map((at) => place.source.at('documents', at))]
  return places.every((one) => one.at('properties').isValid)
}

function checkedTerm(document: DocumentSetup, name: string, finder: LinesFinder, place: SetupPart): Term | undefined {
  try {
    return computedTerm(document, name, finder)
  } catch (error) {
    if (!(error instanceof NotComputable)) throw error
    // What is wrong with another one is told there.
    if (error.property === `${document.name}/${name}`) place.add(error.message)
    return undefined
  }
}

function finderIn({ documents = [] }: Setup): LinesFinder {
  return {
    declarationOf: (name) => documents.find((one) => one.name === name),
    linesOf: () => recordLines({ on: [], orderBy: [], document: NO_DOCUMENT }, {}),
  }
}

/** Only what the terms are is asked here, not where they are kept. */
const NO_DOCUMENT = {
  name: '',
  version: 1,
  description: '',
  table: '',
  companyColumn: '',
  joins: {},
  key: [],
  properties: {},
} as const
