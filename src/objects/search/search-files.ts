// Finds documents of the archive by the words of their files.
import type { Caller } from '../../access/caller.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { Document } from '../../model/records/document.ts'
import { restricted } from '../../model/restricted.ts'
import { propertyTitle } from '../../model/titles.ts'
import { searchedWords } from '../../model/words.ts'
import type { BoundExpression } from '../../query/bound.ts'
import { rowRuleOf } from '../../query/row-rule.ts'
import type { EnterpriseDocument } from '../enterprise-document.ts'
import { INSIDE, type RankedHit, rankedHit } from './marked-hits.ts'
import { foundRows, type SearchRequest, searchPlan } from './search-document.ts'
import { searchedProperties } from './searched-properties.ts'

/** The words of a document are those of all of these. */
const INDEXED = ['title', 'description', 'indexes', 'filename']

/**
 * For callers who may read the files too. The words of hidden properties are not told from others, so nothing is found
 * where one is hidden (as in the list of documents).
 */
export async function searchFiles(
  request: SearchRequest,
  caller: Caller,
  document: EnterpriseDocument,
  definition: DocumentDefinition,
): Promise<readonly RankedHit[]> {
  const { company, terms, languages } = request
  if (definition.name !== Document.document.name || !caller.may(company.id, 'documents:read')) return []
  const rules = caller.rulesFor(company.id, 'documents:read')
  const single = rules ? restricted(Document.document, rules) : Document.document
  if ([definition, single].some(({ restriction }) => INDEXED.some((name) => restriction?.hidden.has(name)))) return []
  // The last word may not be complete yet.
  const words = searchedWords(`${terms.whole}*`)
  if (words.length === 0) return []
  const searched = searchedProperties(definition)
  const { plan, scope } = searchPlan(document, definition, searched, company, {})
  const found: BoundExpression = { kind: 'words', words }
  const conditions = [found, plan.filter, rowRuleOf(single)].filter((one) => one !== undefined)
  const rows = await foundRows(request, { plan: { ...plan, filter: { kind: 'and', terms: conditions } }, scope })
  const title = propertyTitle(definition.name, 'fileContent', {}, languages)
  const match = { property: 'fileContent', title, type: 'string', value: '', ranges: [] }
  return rows.map((row) => rankedHit(row, INSIDE, [match], searched, definition, languages))
}
