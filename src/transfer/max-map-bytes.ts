/** A line for each column of a table, of which there are a few hundred. */
export const MAX_MAP_BYTES = 1024 * 1024
