/** An identifier as both engines write it. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

/** Columns as a list, each behind the alias of its table where one is given, such as `t.`. */
export function listOf(columns: readonly string[], prefix = ''): string {
  return columns.map((column) => prefix + quote(column)).join(', ')
}
