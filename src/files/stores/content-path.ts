// Where a content stands below the root of a store: `company-_e_n/ab/cd/<hash>`, what was derived from it beside it.
// No company id can be another's path, in whatever letter case, a device, or a name that a file system refuses.
import type { FileHash } from '../file-store.ts'

/** File systems take names of up to 255 bytes. */
const PARTS = /.{1,200}/g
/** An encoded id that is too long for one name goes on in a folder below; the id itself never has this sign. */
const CONTINUED = '~'

const COMPANY_PART = 'company-'
const HASH = /^[0-9a-f]{64}$/
const DERIVED = /^[a-z0-9][a-z0-9._-]{0,99}$/
const CONTENT_PATH = /^company-(?<company>[a-z0-9._~/-]+)\/[0-9a-f]{2}\/[0-9a-f]{2}\/(?<hash>[0-9a-f]{64})$/

export interface ContentName {
  readonly companyId: string
  readonly hash: FileHash
}

/** The path of a content, with `/` between its parts. */
export function contentPath({ companyId, hash }: ContentName): string {
  if (companyId === '' || !companyId.isWellFormed()) throw new Error('not the id of a company')
  if (!HASH.test(hash)) throw new Error('not the hash of a content')
  return `${companyFolder(companyId)}/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`
}

/** The path of what was derived from a content, by the path of the content. */
export function derivedPath(path: string, name: string): string {
  if (!DERIVED.test(name)) throw new Error(`not a name of a derived file: ${name.slice(0, 100)}`)
  return `${path}.${name}`
}

/** Whose content stands there; `undefined` for what is derived, and for what is not ours. */
export function parseContentPath(path: string): ContentName | undefined {
  const { company, hash } = CONTENT_PATH.exec(path)?.groups ?? {}
  if (company === undefined || hash === undefined) return undefined
  const name = { companyId: decoded(company.replaceAll(`${CONTINUED}/`, '')), hash }
  // There is one spelling of each: a folder that somebody renamed is not ours.
  return name.companyId !== '' && contentPath(name) === path ? name : undefined
}

/** Whether contents may stand in this folder at the root. */
export function isCompanyFolder(name: string): boolean {
  return name.startsWith(COMPANY_PART)
}

function companyFolder(companyId: string): string {
  return (COMPANY_PART + encoded(companyId)).match(PARTS)!.join(`${CONTINUED}/`)
}

/** `EN-1` is `_e_n-1`: file systems may fold letter case. What is no letter, digit or hyphen is `.` and its UTF-8 in hex. */
function encoded(companyId: string): string {
  return [...Buffer.from(companyId)].map(encodedByte).join('')
}

function encodedByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (/[a-z0-9-]/.test(character)) return character
  if (/[A-Z]/.test(character)) return `_${character.toLowerCase()}`
  return `.${byte.toString(16).padStart(2, '0')}`
}

function decoded(text: string): string {
  const hex = text.replace(/_[a-z]|\.[0-9a-f]{2}|[^._]/g, (sign) => {
    if (sign.startsWith('.')) return sign.slice(1)
    return Buffer.from(sign.startsWith('_') ? sign.slice(1).toUpperCase() : sign).toString('hex')
  })
  return Buffer.from(hex, 'hex').toString()
}
