// The entries of a company's change log, whose chain is verified.
import { expect } from 'vitest'
import { openReadOnly } from '../../src/databases/open/open-read-only.ts'
import { findChainEnd, readChain } from '../../src/store/audit/audit-store.ts'
import { verifyChain } from '../../src/store/audit/verify-chain.ts'
import type { LinkedEntry } from '../../src/store/chain/audit-chain.ts'

export async function entriesIn(data: string, companyId: string): Promise<LinkedEntry[]> {
  await using database = await openReadOnly({ data })
  const end = await findChainEnd(database, companyId)
  const entries: LinkedEntry[] = []
  for await (const page of readChain(database, companyId, end.entryNo)) entries.push(...page)
  expect(await verifyChain(readChain(database, companyId, end.entryNo), end, [], () => {})).toEqual([])
  return entries
}
