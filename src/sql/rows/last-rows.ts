// The last rows of a document's table by its key, which a query reads in place of the whole table: for questions that
// no index serves, and whose time must not grow with the table.
import type { DocumentDefinition } from '../../model/document.ts'
import type { FirstParameters, OpenRowSource, RowSource } from './row-source.ts'

const NAME = 'last rows'

export class LastRows implements RowSource {
  readonly #table: string
  readonly #key: readonly string[]
  readonly #most: number

  /** `key`: the columns of the primary key, that of the company first. */
  constructor({ table }: DocumentDefinition, key: readonly string[], most: number) {
    this.#table = table
    this.#key = key
    this.#most = most
  }

  open(sql: FirstParameters): OpenRowSource {
    const { dialect } = sql
    const { quote } = dialect
    const columns = new Set<string>()
    return {
      standInFor: (table) => (table === this.#table ? { name: NAME, columns } : undefined),
      clause: () => {
        const [company = '', ...rest] = this.#key
        const read = [...columns].map((column) => `m.${quote(column)}`).join(', ')
        const order = rest.map((column) => `m.${quote(column)} desc`).join(', ')
        const from = `${quote(this.#table)} m${dialect.pinned?.(this.#table, undefined) ?? ''}`
        return `with ${quote(NAME)} as (select ${read} from ${from} where m.${quote(company)} = ${sql.company}${
          order === '' ? '' : ` order by ${order}`
        } limit ${this.#most}) `
      },
    }
  }
}
