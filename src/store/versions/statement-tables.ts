// Which tables a statement reads and which it changes, found in its text when it is bound: no use case has to say so,
// so none can forget it. Values never stand in these texts, but as parameters.
import { TEXT_INDEX_PREFIX } from '../indexes/setup-index.ts'
import { DOCUMENT_TABLES } from '../tables.ts'

/** Changed beside `document_text`, by the search of SQLite alone. */
const WORD_INDEX = 'document_words'
const OWN_TABLE = /^own_/
/** Changed when its table is: what else it reads is added with the first row that refers to it. */
const VIEWS: Readonly<Record<string, string>> = { audit_entry: 'journal_entry' }

const NAME = '("[^"]+"(?:\\."[^"]+")?|[\\w.]+)'
const CHANGED = new RegExp(
  `\\b(?:insert(?:\\s+or\\s+\\w+)?\\s+into|update|delete\\s+from|merge\\s+into|copy|truncate(?:\\s+table)?)\\s+(?:only\\s+)?${NAME}`,
  'gi',
)
/** A name before a bracket is that of a function. */
const READ = new RegExp(`\\b(?:from|join)\\s+${NAME}(?![\\w.]|\\s*\\()`, 'gi')
/** Of a name that stands for a subselect. */
const DEFINED =
  /(?:\bwith\s+(?:recursive\s+)?|\)\s*,\s*)(\w+)\s*(?:\([^)]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(/gi
const LITERAL = /'(?:[^']|'')*'/g

/** Whether each commit that changes the table gives it another version. */
function hasVersion(table: string): boolean {
  return DOCUMENT_TABLES.has(table) || table === WORD_INDEX || OWN_TABLE.test(table)
}

/** The tables of documents that a statement changes. */
export function tablesChangedBy(text: string): readonly string[] {
  return namesIn(text, CHANGED).filter(hasVersion)
}

/**
 * The tables that a statement reads, in the order of their names; nothing when one of them has no version. A text index
 * changes with its table.
 */
export function tablesReadBy(text: string): readonly string[] | undefined {
  const bare = text.replace(LITERAL, "''")
  const defined = new Set(namesIn(bare, DEFINED))
  const names = namesIn(bare, READ)
    .filter((name) => !defined.has(name) && !name.startsWith(TEXT_INDEX_PREFIX))
    .map((name) => VIEWS[name] ?? name)
  return names.length > 0 && names.every(hasVersion) ? names.sort() : undefined
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name.replaceAll('"', '')))]
}
