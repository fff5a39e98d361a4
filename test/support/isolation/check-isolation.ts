// A program that runs the requests of T2 and T4 once and prints the result as JSON in its last line: a mutated service
// needs a process of its own.
import { postgresDialect } from '../../../src/databases/postgres/dialect/dialect.ts'
import { compileStatement, declaredStatements } from '../../../src/sql/statement.ts'
import { tablesWithoutCompany } from '../company-predicates.ts'
import { randomNumbers } from '../reliability-test.ts'
import { SqlTap } from '../sql-tap.ts'
import type { StoreKind } from '../world.ts'
import { SideBySide } from './side-by-side.ts'

export interface Checked {
  /** What was disclosed to a company of another one; absent: nothing. */
  readonly leak?: string
  /** Tables that a statement does not restrict to a company. */
  readonly unsaid: readonly string[]
}

const STEPS = 400

async function check(kind: StoreKind, seed: number): Promise<Checked> {
  const tap = new SqlTap()
  let leak: string | undefined
  try {
    const worlds = await SideBySide.start(kind, tap)
    const silent = await worlds.rowsOfSilent()
    await worlds.sweep()
    const random = randomNumbers(seed)
    for (let step = 0; step < STEPS; step++) await worlds.randomStep(random)
    if (String(await worlds.rowsOfSilent()) !== String(silent))
      throw new Error('rows of a company that asks nothing changed')
    await worlds.stop()
  } catch (error) {
    leak = (error as Error).message
  }
  const declared = declaredStatements().map((statement) => compileStatement(postgresDialect, statement).text)
  const unsaid = [...declared, ...tap.texts].flatMap(tablesWithoutCompany)
  return { ...(leak === undefined ? {} : { leak }), unsaid: [...new Set(unsaid)] }
}

const [kind = 'sqlite', seed = '1'] = process.argv.slice(2)
const checked = await check(kind as StoreKind, Number(seed))
console.info(JSON.stringify(checked))
process.exit(0)
