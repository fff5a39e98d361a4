// The ways in which a request may name a company, in its query or in its body; each for any id, so that the answer
// about another company can be compared with the answer about one that does not exist.
import { JASPER } from './companies.ts'

export interface CompanySpelling {
  readonly name: string
  /** The interpretation: the named company, a request that cannot be read, or the caller's own company. */
  readonly meant: 'company' | 'unreadable' | 'own'
  /** The id as it is spelled here, decoded. */
  readonly spelled: (id: string) => string
}

export interface QuerySpelling extends CompanySpelling {
  /** Percent-encoded. */
  readonly query: (id: string, own: string) => string
  readonly headers?: (id: string) => Record<string, string>
}

const asIs = (id: string) => id
const lower = (id: string) => id.toLowerCase()
const spelledWays: readonly (readonly [name: string, (id: string) => string])[] = [
  ['as it is set up', asIs],
  ['in lower case', lower],
  ['in mixed case', (id) => id.slice(0, 1) + id.slice(1).toLowerCase()],
  ['with a blank before', (id) => ` ${id}`],
  ['with a blank behind', (id) => `${id} `],
  ['with a tab', (id) => `\t${id}`],
  ['with a line break', (id) => `${id}\r\n`],
  ['in full width', (id) => String.fromCodePoint(...[...id].map((letter) => (letter.codePointAt(0) ?? 0) + 0xfee0))],
  ['with a Cyrillic letter', (id) => `\u041a${id.slice(1)}`],
  ['with a Kelvin sign', (id) => `\u212a${id.slice(1)}`],
  ['with a zero width space', (id) => `${id}\u200b`],
  ['with a soft hyphen', (id) => `${id.slice(0, 3)}\u00ad${id.slice(3)}`],
  ['with a combining dot', (id) => `${id}\u0307`],
  ['in quotes', (id) => `'${id}'`],
  ['with a wildcard', (id) => `${id.slice(0, 5)}%`],
  ['as a list', (id) => `${JASPER.id},${id}`],
  ['as SQL', (id) => `${JASPER.id}' or company_id='${id}`],
]

const encode = encodeURIComponent
const everyByte = (id: string) => [...Buffer.from(id)].map((byte) => `%${byte.toString(16)}`).join('')

/** The spellings of a company in a query. */
export const QUERY_SPELLINGS: readonly QuerySpelling[] = [
  ...spelledWays.map(
    ([name, spelled]): QuerySpelling => ({
      name,
      meant: 'company',
      spelled,
      query: (id) => `companyId=${encode(spelled(id))}`,
    }),
  ),
  { name: 'percent-encoded', meant: 'company', spelled: asIs, query: (id) => `companyId=${everyByte(id)}` },
  { name: 'under a name in capitals', meant: 'company', spelled: asIs, query: (id) => `COMPANYID=${id}` },
  { name: 'under a name with $', meant: 'company', spelled: asIs, query: (id) => `$companyId=${id}` },
  { name: 'under an encoded name', meant: 'company', spelled: asIs, query: (id) => `%63ompanyId=${id}` },
  { name: 'with NUL', meant: 'unreadable', spelled: asIs, query: (id) => `companyId=${id}%00` },
  { name: 'not UTF-8', meant: 'unreadable', spelled: asIs, query: (id) => `companyId=${id}%ff` },
  { name: 'twice', meant: 'unreadable', spelled: asIs, query: (id) => `companyId=${id}&companyId=${id}` },
  {
    name: 'behind the own',
    meant: 'unreadable',
    spelled: asIs,
    query: (id, own) => `companyId=${own}&companyId=${id}`,
  },
  {
    name: 'before the own',
    meant: 'unreadable',
    spelled: asIs,
    query: (id, own) => `companyId=${id}&CompanyId=${own}`,
  },
  { name: 'behind an empty one', meant: 'unreadable', spelled: asIs, query: (id) => `companyId=&companyId=${id}` },
  { name: 'not at all', meant: 'own', spelled: asIs, query: () => '' },
  { name: 'empty', meant: 'own', spelled: asIs, query: () => 'companyId=' },
  { name: 'as an array', meant: 'own', spelled: asIs, query: (id) => `companyId[]=${id}` },
  { name: 'as an encoded array', meant: 'own', spelled: asIs, query: (id) => `companyId%5B%5D=${id}` },
  { name: 'as an item of an array', meant: 'own', spelled: asIs, query: (id) => `companyId[0]=${id}` },
  {
    name: 'beside the own, as an array',
    meant: 'own',
    spelled: asIs,
    query: (id, own) => `companyId=${own}&companyId[]=${id}`,
  },
  {
    name: 'under another name',
    meant: 'own',
    spelled: asIs,
    query: (id) => `company=${id}&company_id=${id}&tenant=${id}`,
  },
  {
    name: 'in headers',
    meant: 'own',
    spelled: asIs,
    query: () => '',
    headers: (id) => ({ 'x-company-id': id, cookie: `companyId=${id}` }),
  },
]

export interface BodySpelling extends CompanySpelling {
  readonly members: (id: string, own: string) => Readonly<Record<string, unknown>>
  /** The query beside it. */
  readonly query?: (id: string, own: string) => string
}

/** The spellings of a company in the body of a POST. */
export const BODY_SPELLINGS: readonly BodySpelling[] = [
  ...spelledWays.map(
    ([name, spelled]): BodySpelling => ({
      name,
      meant: 'company',
      spelled,
      members: (id) => ({ companyId: spelled(id) }),
    }),
  ),
  { name: 'under a name in capitals', meant: 'company', spelled: asIs, members: (id) => ({ COMPANYID: id }) },
  {
    name: 'as in the query',
    meant: 'company',
    spelled: asIs,
    members: (id) => ({ companyId: id }),
    query: (id) => `companyId=${id}`,
  },
  {
    name: 'beside the own in the query',
    meant: 'unreadable',
    spelled: asIs,
    members: (id) => ({ companyId: id }),
    query: (_id, own) => `companyId=${own}`,
  },
  {
    name: 'in the query, beside the own',
    meant: 'unreadable',
    spelled: asIs,
    members: (_id, own) => ({ companyId: own }),
    query: (id) => `companyId=${id}`,
  },
  { name: 'as an array', meant: 'unreadable', spelled: asIs, members: (id) => ({ companyId: [id] }) },
  { name: 'as an object', meant: 'unreadable', spelled: asIs, members: (id) => ({ companyId: { id } }) },
  { name: 'under another name', meant: 'own', spelled: asIs, members: (id) => ({ company_id: id, company: id }) },
  {
    name: 'empty, with another beside',
    meant: 'own',
    spelled: asIs,
    members: (id) => ({ companyId: '', company: id }),
  },
]

/** Operations of a patch that would move a record to another company. */
export const PATCHES: readonly ((id: string) => readonly unknown[])[] = [
  (id) => [{ op: 'replace', path: '/companyId', value: id }],
  (id) => [{ op: 'replace', path: 'companyId', value: id }],
  (id) => [{ op: 'Add', path: '/COMPANYID', value: id }],
  (id) => [{ op: 'replace', path: '/company_id', value: id }],
  (id) => [{ op: 'replace', path: `/${id}`, value: 1 }],
  (id) => [{ op: 'remove', path: `/companyId/${id}` }],
]
