// From which ERP system a company fills itself, with everything that a setup leaves out.
import { SOURCE_DEFAULTS, type SourceSetup } from '../file/source-schema.ts'

interface MirroredDocumentRules {
  readonly name: string
  /** Parameters of the source, one of which is true in each request. */
  readonly states: readonly string[] | undefined
  /** A filter of the source. */
  readonly from: string | undefined
}

export interface SourceRules extends Required<Omit<SourceSetup, 'documents' | 'tokenUrl' | 'companyId'>> {
  readonly companyId: string
  readonly tokenUrl: string | undefined
  /** Undefined: all that the setup has. */
  readonly documents: ReadonlyMap<string, MirroredDocumentRules> | undefined
}

/** `companyId`: its id here, which is that of the source unless the setup says otherwise. */
export function sourceRules(source: SourceSetup, companyId: string): SourceRules {
  const { documents = 'all', tokenUrl, companyId: there = companyId, ...given } = source
  return {
    ...SOURCE_DEFAULTS,
    writes: 'refuse',
    writeAs: 'mirror',
    whileLoading: 'wait',
    contents: 'background',
    ...given,
    companyId: there,
    url: given.url.replace(/\/+$/, ''),
    tokenUrl,
    documents: documents === 'all' ? undefined : new Map(documents.map(documentRules).map((one) => [one.name, one])),
  }
}

type Mirrored = Exclude<NonNullable<SourceSetup['documents']>, 'all'>[number]

function documentRules(one: Mirrored): MirroredDocumentRules {
  const { name, states, from } = typeof one === 'string' ? { name: one } : one
  return { name, states, from }
}
