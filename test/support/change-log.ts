// Reads the change log of a world as the service itself does.

import { expect } from 'vitest'
import { builtInDocuments } from '../../src/app/setup/built-in-documents.ts'
import { systemClock } from '../../src/base/clock.ts'
import { Steps } from '../../src/base/concurrency/steps.ts'
import { inSteps } from '../../src/changes/log-source.ts'
import { findLogEnd } from '../../src/changes/log-store.ts'
import { readChanges } from '../../src/changes/read-changes.ts'
import { ALL_PARTS, type Position, type RecordChange } from '../../src/changes/record-change.ts'
import type { Criterion } from '../../src/lifecycle/criteria.ts'
import { purge } from '../../src/lifecycle/purge.ts'
import { kindsOf } from '../../src/records/kinds/kinds.ts'
import type { World } from './world.ts'

/** The position before all changes. */
export const BEGINNING: Position = { number: 0, part: ALL_PARTS }

export const DOCUMENTS_OF_ALL = builtInDocuments(systemClock)

export const ALL_KINDS = kindsOf(DOCUMENTS_OF_ALL)

/** All changes of company EN after a position, read in pages. */
export async function changesAfter(world: World, from: Position, limit: number): Promise<RecordChange[]> {
  const { store, companies } = world.application.service
  const found: RecordChange[] = []
  for (let next = from; ; ) {
    const page = await readChanges(
      inSteps(store, new Steps()),
      companies.require('EN'),
      next,
      limit,
      ALL_KINDS.values(),
    )
    expect(page.changes.length).toBeLessThanOrEqual(limit)
    found.push(...page.changes)
    next = page.next
    if (page.isAtEnd) return found
  }
}

/** The position of the newest change. */
export async function newestPosition(world: World): Promise<Position> {
  const { last } = await findLogEnd(world.application.service.store.reading('EN'))
  return { number: last, part: ALL_PARTS }
}

export const ACTOR = { userId: 'test', clientId: '', requestId: '' }

/** Purges the records of company EN that meet a criterion, and returns what became of them. */
export async function purgeAll(world: World, criterion: Omit<Criterion, 'why'>): Promise<string[]> {
  const { store, files, companies } = world.application.service
  const fates: string[] = []
  await purge({
    store,
    files,
    documents: DOCUMENTS_OF_ALL,
    declaredRecords: new Map(),
    setupVersion: companies.setupVersion,
    actor: ACTOR,
    company: companies.require('EN'),
    criteria: [{ ...criterion, why: 'test' }],
    isDryRun: false,
    report: ({ fate }) => fates.push(fate),
  })
  return fates
}
