// The entries of a company's change log, whose chain is verified.
import { expect } from 'vitest'
import type { LinkedEntry } from '../../src/store/journal/audit-chain.ts'
import { findChainEnd, readChain } from '../../src/store/journal/audit-store.ts'
import { verifyChain } from '../../src/store/journal/verify-chain.ts'
import { openReadOnly } from '../../src/store/open-read-only.ts'

export async function entriesIn(data: string, companyId: string): Promise<LinkedEntry[]> {
  await using database = await openReadOnly({ data })
  const end = await findChainEnd(database, companyId)
  const entries: LinkedEntry[] = []
  for await (const page of readChain(database, companyId, end.entryNo)) entries.push(...page)
  expect(await verifyChain(readChain(database, companyId, end.entryNo), end, [], () => {})).toEqual([])
  return entries
}
