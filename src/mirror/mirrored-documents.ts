// Which documents a company mirrors, and how each is asked for at the source.
import type { DocumentDefinition, Property } from '../model/document.ts'
import { LEDGER } from '../objects/general-ledger-transactions.ts'
import { STATES } from '../objects/ledger-state-names.ts'
import { COPIED_DOCUMENTS } from '../records/kinds/copied-documents.ts'
import { type CopiedKind, copiedKind } from '../records/kinds/copied-records.ts'
import type { DeclaredRecords } from '../records/shared/service.ts'
import { keyNamesOf } from '../setup/rules/declared-properties.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { SourceRules } from '../setup/rules/source.ts'
import type { AskedDocument } from './source/source-pages.ts'

export interface MirroredDocument {
  readonly asked: AskedDocument
  readonly kind: CopiedKind
  readonly states: readonly string[]
}

/** By their names, in the order in which they are loaded: what others refer to comes first. */
export function mirroredDocuments(
  company: CompanyRules,
  source: SourceRules,
  documents: DeclaredRecords,
): ReadonlyMap<string, MirroredDocument> {
  const declared = [...documents.records].map(([name, { version }]) => [name, version] as const)
  const found = [...new Map([...BUILT_IN, ...declared])].flatMap(([name, version]): [string, MirroredDocument][] => {
    if (source.documents && !source.documents.has(name)) return []
    const kind = name === ARCHIVE ? COPIED_DOCUMENTS : copiedKind(company, documents, `v${version}`, name)
    const definition = documents.definitionOf(name, company)
    if (!kind || !definition) return []
    const { states, from } = source.documents?.get(name) ?? {}
    const asked = askedDocument(definition, version, from)
    return [[name, { asked, kind, states: states ?? (name === LEDGER ? STATES : []) }]]
  })
  return new Map(found)
}

export const ARCHIVE = 'document-archive'

const BUILT_IN: readonly (readonly [string, number])[] = [
  ['attribute-values', 1],
  ['attribute-relations', 1],
  ['customers', 1],
  [ARCHIVE, 1],
]

function askedDocument(definition: DocumentDefinition, version: number, from: string | undefined): AskedDocument {
  const { name, properties } = definition
  const key = keyNamesOf(definition).map((part) => {
    const property = properties[part]
    return { name: part, isText: property?.kind !== 'value' || !NUMBERS.has(property.type) }
  })
  const members = Object.entries(properties).filter(([, { kind }]) => kind !== 'association')
  const isList = ([member, property]: [string, Property]) =>
    property.kind === 'list' ? !RELATIONS.has(member) : property.kind === 'group' && property.isOnRequest === true
  const lists = members.filter(isList).map(([member]) => member)
  const others = members.filter((one) => !isList(one) && !RELATIONS.has(one[0])).map(([member]) => member)
  return { name, version, key, lists, members: others, from }
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'number'])
/** They are records of their own. */
const RELATIONS: ReadonlySet<string> = new Set(['relatedValues'])
