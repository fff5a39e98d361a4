// The path of a content below the root of a store: `company-_e_n/ab/cd/<hash>`, with its renditions beside it. The
// encoding of company ids is unique on case-insensitive file systems, and avoids device names and invalid names.
import type { FileHash } from './file-store.ts'

/** File systems allow names of up to 255 bytes. */
const PARTS = /.{1,200}/g
/** An encoded id that is too long for one name continues in a subfolder. Encoded ids never contain this character. */
const CONTINUED = '~'

const COMPANY_PART = 'company-'
const HASH = /^[0-9a-f]{64}$/
const RENDITION = /^[a-z0-9][a-z0-9._-]{0,99}$/
const CONTENT_PATH = /^company-(?<company>[a-z0-9._~/-]+)\/[0-9a-f]{2}\/[0-9a-f]{2}\/(?<hash>[0-9a-f]{64})$/

interface ContentName {
  readonly companyId: string
  readonly hash: FileHash
}

/** The path of a content, with `/` between its parts. */
export function contentPath({ companyId, hash }: ContentName): string {
  if (companyId === '' || !companyId.isWellFormed()) throw new Error('not the id of a company')
  if (!HASH.test(hash)) throw new Error('not the hash of a content')
  return `${companyFolder(companyId)}/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`
}

/** The path of a rendition, from the path of its content. */
export function renditionPath(path: string, name: string): string {
  if (!RENDITION.test(name)) throw new Error(`not a name of a derived file: ${name.slice(0, 100)}`)
  return `${path}.${name}`
}

/** Parses the path of a content; undefined for renditions and for files that do not belong to the store. */
export function parseContentPath(path: string): ContentName | undefined {
  const { company, hash } = CONTENT_PATH.exec(path)?.groups ?? {}
  if (company === undefined || hash === undefined) return undefined
  const name = { companyId: decodeId(company.replaceAll(`${CONTINUED}/`, '')), hash }
  // Every content has exactly one path: a renamed folder does not belong to the store.
  return name.companyId !== '' && contentPath(name) === path ? name : undefined
}

/** Whether this folder at the root may contain contents. */
export function isCompanyFolder(name: string): boolean {
  return name.startsWith(COMPANY_PART)
}

function companyFolder(companyId: string): string {
  return (COMPANY_PART + encodeId(companyId)).match(PARTS)!.join(`${CONTINUED}/`)
}

/** `EN-1` becomes `_e_n-1`. All bytes other than letters, digits and hyphens become `.` and two hexadecimal digits. */
function encodeId(companyId: string): string {
  return [...Buffer.from(companyId)].map(encodeByte).join('')
}

function encodeByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (/[a-z0-9-]/.test(character)) return character
  if (/[A-Z]/.test(character)) return `_${character.toLowerCase()}`
  return `.${byte.toString(16).padStart(2, '0')}`
}

function decodeId(text: string): string {
  const hex = text.replace(/_[a-z]|\.[0-9a-f]{2}|[^._]/g, (sign) => {
    if (sign.startsWith('.')) return sign.slice(1)
    return Buffer.from(sign.startsWith('_') ? sign.slice(1).toUpperCase() : sign).toString('hex')
  })
  return Buffer.from(hex, 'hex').toString()
}
