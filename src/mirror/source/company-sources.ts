// The sources of companies: all that a process asks of one counts as one.
import { isDeepStrictEqual } from 'node:util'
import type { SourceRules } from '../../setup/rules/source.ts'
import { ErpSource, type SourceParts } from './source.ts'

export class CompanySources {
  readonly #parts: Omit<SourceParts, 'rules'>
  readonly #byCompany = new Map<string, ErpSource>()

  constructor(parts: Omit<SourceParts, 'rules'>) {
    this.#parts = parts
  }

  /** By the rules in force: others than before make a new one. */
  of(companyId: string, rules: SourceRules): ErpSource {
    const known = this.#byCompany.get(companyId)
    if (known && isDeepStrictEqual(known.rules, rules)) return known
    const source = new ErpSource({ ...this.#parts, rules })
    this.#byCompany.set(companyId, source)
    return source
  }
}
