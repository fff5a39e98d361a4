// The media types of files: those of Office files whose text is shown, and what people call them.
const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'

export const WORD_TYPE = `${OFFICE}.wordprocessingml.document`
export const EXCEL_TYPE = `${OFFICE}.spreadsheetml.sheet`
export const POWERPOINT_TYPE = `${OFFICE}.presentationml.presentation`
export const OPEN_TYPES = [`${OPEN}.text`, `${OPEN}.spreadsheet`, `${OPEN}.presentation`]

export const isOffice = (type: string): boolean =>
  [WORD_TYPE, EXCEL_TYPE, POWERPOINT_TYPE, ...OPEN_TYPES].includes(type)

/** What people call files of a type, in any language; the type itself where they have no name for it. */
const NAMES: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'message/rfc822': 'EML',
  [WORD_TYPE]: 'Word',
  [EXCEL_TYPE]: 'Excel',
  [POWERPOINT_TYPE]: 'PowerPoint',
  [`${OPEN}.text`]: 'OpenDocument Text',
  [`${OPEN}.spreadsheet`]: 'OpenDocument Spreadsheet',
  [`${OPEN}.presentation`]: 'OpenDocument Presentation',
  'application/msword': 'Word 97',
  'application/vnd.ms-excel': 'Excel 97',
  'application/vnd.ms-powerpoint': 'PowerPoint 97',
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/heic': 'HEIC',
  'text/csv': 'CSV',
}

export const typeText = (type: string): string => NAMES[type] ?? type
