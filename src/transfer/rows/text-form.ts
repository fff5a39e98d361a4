// How the bytes of a file become text: names and reports of encodings. Light, because the command's help needs it too.

export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1255': 'Windows-1255',
  'windows-1256': 'Windows-1256',
  'windows-1257': 'Windows-1257',
  'windows-1258': 'Windows-1258',
  'iso-8859-2': 'ISO 8859-2',
  'iso-8859-9': 'ISO 8859-9',
  'iso-8859-15': 'ISO 8859-15',
  'koi8-r': 'KOI8-R',
  gb18030: 'GB 18030',
  big5: 'Big5',
  shift_jis: 'Shift JIS',
  'euc-kr': 'EUC-KR',
  cp850: 'MS-DOS (cp850)',
  cp852: 'MS-DOS (cp852)',
  cp866: 'MS-DOS (cp866)',
  macintosh: 'Macintosh',
} as const

export type Encoding = keyof typeof ENCODINGS
export const ENCODING_NAMES = Object.keys(ENCODINGS) as Encoding[]

export interface TextForm {
  readonly encoding: Encoding
  /** The file starts with a byte order mark. */
  readonly hasMark: boolean
  /** Lines end with a carriage return alone. */
  readonly endsWithReturn: boolean
}

export const PLAIN_TEXT: TextForm = { encoding: 'utf-8', hasMark: false, endsWithReturn: false }

export const LINE_FEED = 0x0a
export const RETURN = 0x0d
