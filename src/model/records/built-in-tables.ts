/** The tables of the built-in records, apart from their definitions: commands that know no record load these alone. */
export const BUILT_IN_TABLES: readonly string[] = ['customer']
