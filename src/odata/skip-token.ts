// `$skiptoken`: where the next page of an answer begins, as a text that only the service can make. It is of use to the
// caller alone that it was made for, and only with the same question. What it shows is asked anew with the rights of
// now.
import { SignedTokens } from '../access/signed-token.ts'
import { invalidOption } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import { serviceSecret } from '../store/service-state/secret-store.ts'
import type { Store } from '../store/store.ts'

export interface NextPage {
  /** The number of the company's last change when the first page was read; undefined where changes are not recorded. */
  readonly changeNumber: number | undefined
  /** How many rows may still be answered (`$top`). */
  readonly remaining: number | undefined
  /** The rows of a page. */
  readonly pageSize: number
  /** The `@odata.count` of the first page. */
  readonly count: number | undefined
  /** How many rows come before the page. */
  readonly offset: number
  /** The values by which its first row is ordered, as texts; undefined where rows are found by the offset. */
  readonly row: readonly string[] | undefined
}

/** What a token belongs to: the caller, the company, and all of the question that the token does not say itself. */
export type TokenOwner = readonly (string | null)[]

type Stored = [
  version: 1,
  changeNumber: number | null,
  remaining: number | null,
  pageSize: number,
  count: number | null,
  offset: number,
  row: readonly string[] | null,
]

const LONGEST_TOKEN = 6_000
/** Longer values would not fit into a URL: then the offset has to do. */
const LONGEST_ROW = 1_500

/** 400 for a token of another caller or question, or of nobody. */
export function foreignToken(): Problem {
  return invalidOption(
    'The $skiptoken is none of this service for this caller and this question: use the whole @odata.nextLink.',
  )
}

const SECRET = 'odata-skip-tokens'
const keys = new WeakMap<Store, Buffer>()

/** The tokens of an owner, under the key of the service. */
export async function tokensOf(store: Store, owner: TokenOwner) {
  const key = keys.get(store) ?? (await serviceSecret(store, SECRET))
  keys.set(store, key)
  const tokens = new SignedTokens(key, `\n${JSON.stringify(owner)}`, 'before')
  return {
    write({ changeNumber, remaining, pageSize, count, offset, row }: NextPage): string {
      const isShort = Buffer.byteLength(JSON.stringify(row ?? null)) <= LONGEST_ROW
      const kept = isShort ? (row ?? null) : null
      const stored: Stored = [1, changeNumber ?? null, remaining ?? null, pageSize, count ?? null, offset, kept]
      return tokens.write(Buffer.from(JSON.stringify(stored)))
    },

    /** Throws 400 for a text that is no token of this owner. */
    read(text: string): NextPage {
      const content = text.length > LONGEST_TOKEN ? undefined : tokens.read(text)
      if (!content) throw foreignToken()
      const [, changeNumber, remaining, pageSize, count, offset, row] = JSON.parse(content.toString()) as Stored
      return {
        changeNumber: changeNumber ?? undefined,
        remaining: remaining ?? undefined,
        pageSize,
        count: count ?? undefined,
        offset,
        row: row ?? undefined,
      }
    },
  }
}
