// The file types with extractable text, and their formats. Cheap to load: the readers are in other modules.

/** The reader of a file. */
export type TextFormat = 'pdf' | 'word' | 'excel' | 'powerpoint' | 'openDocument' | 'html' | 'json' | 'xml' | 'plain'

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'

const FORMATS: ReadonlyMap<string, TextFormat> = new Map([
  ['application/pdf', 'pdf'],
  [`${OFFICE}.wordprocessingml.document`, 'word'],
  [`${OFFICE}.spreadsheetml.sheet`, 'excel'],
  [`${OFFICE}.presentationml.presentation`, 'powerpoint'],
  [`${OPEN_DOCUMENT}.text`, 'openDocument'],
  [`${OPEN_DOCUMENT}.spreadsheet`, 'openDocument'],
  [`${OPEN_DOCUMENT}.presentation`, 'openDocument'],
  ['text/html', 'html'],
  ['text/plain', 'plain'],
  ['text/csv', 'plain'],
  ['text/markdown', 'plain'],
  ['text/xml', 'xml'],
  ['application/xml', 'xml'],
  ['application/json', 'json'],
])

/** The format for a media type; undefined for types without text. Parameters of the type are ignored. */
export function textFormatOf(mimeType: string): TextFormat | undefined {
  const [name = ''] = mimeType.split(';', 1)
  return FORMATS.get(name.trim().toLowerCase())
}

/** Whether text can be extracted from files of this type. */
export function mayHoldText(mimeType: string): boolean {
  return textFormatOf(mimeType) !== undefined
}
