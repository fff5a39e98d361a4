// What requests to a mirrored company need to know of it: how fresh each document is, and a record as the source has it
// at this moment.
import { listDocumentsWithoutFile, listRevisionsWithoutFile } from '../records/documents/copied-document-store.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { ReadTx, Store } from '../store/store.ts'
import { fetchContents, type WantedContents } from './archive-contents.ts'
import { type MirrorParts, sourceFrom } from './company-mirror.ts'
import { DocumentMirror } from './document-mirror.ts'
import { type DocumentState, NEW_DOCUMENT } from './document-state.ts'
import { documentStates } from './mirror-store.ts'
import { type MirroredDocument, mirroredDocuments } from './mirrored-documents.ts'
import type { Source } from './source/source.ts'

/** How far documents are is read as often: other processes fill the company. */
const STATES_MS = 500

interface KnownStates {
  readonly at: number
  readonly states: ReadonlyMap<string, DocumentState>
}

export class MirrorService {
  readonly #parts: MirrorParts
  readonly #states = new Map<string, KnownStates>()
  readonly #sources = new WeakMap<CompanyRules, Source>()
  readonly #documents = new WeakMap<CompanyRules, ReadonlyMap<string, MirroredDocument>>()

  constructor(parts: MirrorParts) {
    this.#parts = parts
  }

  get store(): Store {
    return this.#parts.store
  }

  get now(): number {
    return this.#parts.now()
  }

  /** The documents that the company mirrors. */
  documentsOf(company: CompanyRules): ReadonlyMap<string, MirroredDocument> {
    let documents = this.#documents.get(company)
    if (!documents) {
      documents = company.source ? mirroredDocuments(company, company.source, this.#parts.documents) : new Map()
      this.#documents.set(company, documents)
    }
    return documents
  }

  async statesOf(company: CompanyRules): Promise<ReadonlyMap<string, DocumentState>> {
    const known = this.#states.get(company.id)
    const now = performance.now()
    if (known && now - known.at < STATES_MS) return known.states
    const states = await documentStates(this.reading(company))
    this.#states.set(company.id, { at: now, states })
    return states
  }

  /** Whether the company has such a document, mirrored or not. */
  knows(company: CompanyRules, name: string): boolean {
    return this.#parts.documents.definitionOf(name, company) !== undefined
  }

  reading(company: CompanyRules): ReadTx {
    return this.#parts.store.reading(company.id)
  }

  /** For requests that a client waits for. */
  sourceOf(company: CompanyRules): Source | undefined {
    const { source: rules } = company
    if (!rules) return undefined
    let source = this.#sources.get(company)
    if (!source) {
      source = sourceFrom(this.#parts, rules)
      this.#sources.set(company, source)
    }
    return source
  }

  /** Fetches contents of a document that are not here, for a client that waits for them. Throws `SourceFailure`. */
  async fetchContents(company: CompanyRules, documentId: string, wanted: WantedContents): Promise<void> {
    const source = this.sourceOf(company)
    if (source) await fetchContents(this.#parts, source, company.id, documentId, wanted, { isUrgent: true })
  }

  /** Whether the contents of a document are here, or without an id those of all. */
  async hasContents(company: CompanyRules, documentId?: string): Promise<boolean> {
    const tx = this.reading(company)
    const missing =
      documentId === undefined
        ? await listDocumentsWithoutFile(tx, '', 1)
        : await listRevisionsWithoutFile(tx, documentId)
    return missing.length === 0
  }

  /** Writes the record with this key as the source has it now. Throws `SourceFailure`. */
  async refresh(company: CompanyRules, name: string, key: readonly string[]): Promise<void> {
    const { store, companies, now } = this.#parts
    const document = this.documentsOf(company).get(name)
    const source = this.sourceOf(company)
    if (!document || !source) return
    const states = await this.statesOf(company)
    const setupVersion = companies.setupVersion
    const parts = { ...document, store, companyId: company.id, source, setupVersion, lease: undefined, now }
    await new DocumentMirror(parts, states.get(name) ?? NEW_DOCUMENT).refresh(key)
  }
}
