// The bounds of texts of queries, in the service's own language and in OData's.

/** Maximum length, so that a partly percent-encoded filter fits into a URL. */
export const MAX_CHARACTERS = 8_000
export const MAX_DEPTH = 64
export const MAX_NODES = 500
export const MAX_IN_VALUES = 1_000
/** Each quantifier scans a complete list for every row, or for every item of the enclosing list. */
export const MAX_QUANTIFIERS = 20
export const MAX_QUANTIFIER_DEPTH = 2

/** Characters that no store can contain; PostgreSQL rejects NUL even in comparisons. */
export const NO_CHARACTER = /[\0\p{Surrogate}]/u
