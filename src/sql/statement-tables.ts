// Finds in the text of a statement which tables it reads and changes, so that no use case has to declare them or can
// forget to. Values are always parameters and never occur in these texts.
import { TEXT_INDEX_PREFIX } from './setup-index.ts'
import { DOCUMENT_TABLES, isRecordTable } from './tables.ts'

/** The FTS5 table that SQLite changes together with `document_text`. */
const WORD_INDEX = 'document_words'

const NAME = '("[^"]+"(?:\\."[^"]+")?|[\\w.]+)'
const CHANGED = new RegExp(
  `\\b(?:insert(?:\\s+or\\s+\\w+)?\\s+into|update|delete\\s+from|merge\\s+into|copy|truncate(?:\\s+table)?)\\s+(?:only\\s+)?${NAME}`,
  'gi',
)
/** A name before a parenthesis is a function. */
const READ = new RegExp(`\\b(?:from|join)\\s+${NAME}(?![\\w.]|\\s*\\()`, 'gi')
/** Matches the name of a common table expression. */
const DEFINED =
  /(?:\bwith\s+(?:recursive\s+)?|\)\s*,\s*)(\w+)\s*(?:\([^)]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(/gi
const LITERAL = /'(?:[^']|'')*'/g

/** Whether each commit that changes the table gives it a new version. */
function hasVersion(table: string): boolean {
  return DOCUMENT_TABLES.has(table) || table === WORD_INDEX || isRecordTable(table)
}

/** The document tables that a statement changes. */
export function tablesChangedBy(text: string): readonly string[] {
  return namesIn(text, CHANGED).filter(hasVersion)
}

/**
 * The tables that a statement reads, sorted by name; undefined when one of them has no version. A text index changes
 * together with its table.
 */
export function tablesReadBy(text: string): readonly string[] | undefined {
  const bare = text.replace(LITERAL, "''")
  const defined = new Set(namesIn(bare, DEFINED))
  const names = namesIn(bare, READ).filter((name) => !defined.has(name) && !name.startsWith(TEXT_INDEX_PREFIX))
  return names.length > 0 && names.every(hasVersion) ? names.sort() : undefined
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name.replaceAll('"', '')))]
}
