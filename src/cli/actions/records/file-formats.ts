// The format of a file, where none is named: as its name ends.

export function inputFormatOf(file: string): 'csv' | 'ndjson' {
  return /\.(csv|tsv|tab|txt)$/i.test(file) ? 'csv' : 'ndjson'
}

export function outputFormatOf(file = ''): 'csv' | 'ndjson' | 'parquet' {
  const [, extension] = /\.(csv|parquet)$/i.exec(file) ?? []
  return extension === undefined ? 'ndjson' : (extension.toLowerCase() as 'csv' | 'parquet')
}
