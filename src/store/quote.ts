/** A quoted SQL identifier, in the form that every database here accepts. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

/** A comma-separated list of quoted columns, each with a prefix such as `t.`. */
export function columnList(columns: readonly string[], prefix = ''): string {
  return columns.map((column) => prefix + quote(column)).join(', ')
}
