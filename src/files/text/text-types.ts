// Which types of files text can be taken from, and how each is read. Cheap to load: nothing here reads anything.

/** How a file is read. */
export type TextFormat = 'pdf' | 'word' | 'excel' | 'html' | 'plain'

const OFFICE = 'application/vnd.openxmlformats-officedocument'

const FORMATS: ReadonlyMap<string, TextFormat> = new Map([
  ['application/pdf', 'pdf'],
  [`${OFFICE}.wordprocessingml.document`, 'word'],
  [`${OFFICE}.spreadsheetml.sheet`, 'excel'],
  ['text/html', 'html'],
  ['text/plain', 'plain'],
  ['text/csv', 'plain'],
  ['text/markdown', 'plain'],
  ['text/xml', 'plain'],
  ['application/xml', 'plain'],
  ['application/json', 'plain'],
])

/** How a file of this type is read; `undefined` for a type that gives no text. Parameters of the type do not matter. */
export function textFormatOf(mimeType: string): TextFormat | undefined {
  const [name = ''] = mimeType.split(';', 1)
  return FORMATS.get(name.trim().toLowerCase())
}

/** Whether it makes sense to take the text from a file of this type. */
export function mayHoldText(mimeType: string): boolean {
  return textFormatOf(mimeType) !== undefined
}
