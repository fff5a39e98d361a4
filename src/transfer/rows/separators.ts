// The separator of a CSV file: given, named by a first line `sep=;`, or found in the line of names.

export const SEPARATORS = [',', ';', '\t', '|'] as const
export const SEPARATOR_NAMES = [',', ';', '|', 'tab'] as const

/** How a separator is named in options and reports. */
export function separatorName(separator: string): string {
  return separator === '\t' ? 'tab' : separator
}

/** The separator that Excel reads from the first line of a file, if the line is of this form. */
export function separatorLine(text: string): string | undefined {
  return /^"?sep=([,;\t|])"?$/i.exec(text)?.[1]
}

/** `isHeader`: whether the names are legal when the line is split in this way. */
export function findSeparator(header: string, isHeader: (separator: string) => boolean): string {
  const unquoted = header.replaceAll(/"[^"]*"/g, '')
  const cells = new Map(SEPARATORS.map((separator) => [separator, unquoted.split(separator).length]))
  const [most = ',', ...others] = SEPARATORS.filter((separator) => cells.get(separator) !== 1).sort(
    (one, other) => (cells.get(other) ?? 0) - (cells.get(one) ?? 0),
  )
  return others.length === 0 ? most : ([most, ...others].find(isHeader) ?? most)
}
