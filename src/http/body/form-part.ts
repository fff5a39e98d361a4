// The headers of a part of a form (RFC 7578, 4), as browsers, libraries of .NET and older programs write them.
import { decodeExtended, parse } from 'content-disposition'

/** Headers of a part by their lower-case names, each byte a letter. */
export type PartHeaders = Readonly<Record<string, readonly string[] | undefined>>

export interface FormPart {
  readonly name: string
  /** Absent of a field. */
  readonly fileName: string | undefined
  /** Without parameters, in lower case. */
  readonly type: string
  readonly charset: string
  /** In lower case; empty where there is none. */
  readonly transferEncoding: string
}

/** The header is not a text in the encoding that it names. */
export class UnreadableName extends Error {
  override readonly name = 'UnreadableName'
}

/** RFC 2047, 2, with a language by RFC 2231, 5. */
const CODED_WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi
/** Between two coded words they mean nothing. */
const BLANKS_BETWEEN = /(\?=)\s+(?==\?[^?\s]+\?[bq]\?)/gi

/** Undefined for a part that is no field of a form. Throws UnreadableName. */
export function formPartOf(headers: PartHeaders): FormPart | undefined {
  const disposition = headers['content-disposition']?.[0]
  if (disposition === undefined) return undefined
  // Programs that escape a quote by a backslash do not escape a backslash, which is a part of a path.
  const { type, parameters } = parse(disposition.replaceAll('\\"', '%22'), { multipart: true, extended: false })
  if (type !== 'form-data') return undefined
  const contentType = headers['content-type']?.[0] ?? ''
  return {
    name: parameterText(parameters, 'name') ?? '',
    fileName: parameterText(parameters, 'filename')?.replace(/^.*[/\\]/s, ''),
    type: (/^[^;]*/.exec(contentType)?.[0] ?? '').trim().toLowerCase(),
    charset: /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1] ?? 'utf-8',
    transferEncoding: (headers['content-transfer-encoding']?.[0] ?? '').trim().toLowerCase(),
  }
}

export const MAX_BOUNDARY_LENGTH = 70

/** What stands between the parts of a form, by its content type; undefined if there is none (RFC 2046, 5.1.1). */
export function boundaryIn(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]*))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain ?? ''
  return boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH ? undefined : boundary
}

/** The extended form is preferred (RFC 6266, 4.3). */
function parameterText(parameters: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const [plain, extended] = [parameters[name], parameters[`${name}*`]]
  const decoded = extended === undefined ? undefined : decodeExtended(extended)
  if (decoded !== undefined || plain === undefined) return decoded
  const text = decodeText(Buffer.from(plain, 'latin1'), 'utf-8')
  return text.replace(BLANKS_BETWEEN, '$1').replace(CODED_WORD, (_word, charset, encoding, coded) => {
    const bytes = /b/i.test(encoding) ? Buffer.from(coded, 'base64') : bytesOfQ(coded)
    return decodeText(bytes, charset)
  })
}

function bytesOfQ(coded: string): Buffer {
  const bytes = coded
    .replaceAll('_', ' ')
    .replace(/=([\da-f]{2})/gi, (_escape, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
  return Buffer.from(bytes, 'latin1')
}

/** Throws UnreadableName. */
export function decodeText(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new UnreadableName(undefined, { cause })
  }
}
