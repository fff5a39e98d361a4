// What the log tells of documents, of imported rows, and of records that are removed for good.
import { expect, it } from 'vitest'
import { Steps } from '../../src/base/concurrency/steps.ts'
import { ChangesGone } from '../../src/changes/changes-gone.ts'
import { inSteps } from '../../src/changes/log-source.ts'
import { findLogEnd } from '../../src/changes/log-store.ts'
import { readChangeAt } from '../../src/changes/read-changes.ts'
import type { RecordChange } from '../../src/changes/record-change.ts'
import { erase } from '../../src/lifecycle/erase.ts'
import { valueKind } from '../../src/records/kinds/attribute-values.ts'
import { documentKind } from '../../src/records/kinds/documents.ts'
import type { SqlValue } from '../../src/sql/dialect.ts'
import { writeRowsEntry } from '../../src/store/journal/journal.ts'
import { targetOf } from '../../src/transfer/row-target.ts'
import {
  ACTOR,
  ALL_KINDS,
  BEGINNING,
  changesAfter,
  DOCUMENTS_OF_ALL,
  newestPosition,
  purgeAll,
} from '../support/change-log.ts'
import { create, invoiceOf, noteOf, replace, revise, urlOf } from '../support/documents.ts'
import { objects } from '../support/object-records.ts'
import { onEachStore, startWorld, type World } from '../support/world.ts'

const AS = 'integration'

const send = (world: World, method: 'PATCH' | 'DELETE' | 'POST', url: string, body?: unknown) =>
  world.send({ as: AS, method, url, ...(body === undefined ? {} : { body }) })

const shortOf = ({ kind, key, operation, part }: RecordChange) => [kind.name, key.join('/'), operation, part]

/** The item of the list of documents, as it is written there. */
async function listed(world: World, id: string): Promise<string> {
  const { text } = await world.send({ as: AS, url: `/v1/documents?id=${id}` })
  return text.slice(text.indexOf('"items":[') + '"items":['.length, -2)
}

/** A revision without its content. */
async function revisionOf(world: World, id: string, revisionNo: number): Promise<string> {
  const { json } = await world.send({ as: AS, url: `/v1/document-revisions/${id}/${revisionNo}` })
  const { fileContent: _content, ...others } = json
  return JSON.stringify(others)
}

const LEDGER = 'general-ledger-transactions'

/** Inserts lines of the ledger as an import does. */
async function importLines(world: World, from: number, count: number): Promise<void> {
  const definition = DOCUMENTS_OF_ALL.find(({ common }) => common.name === LEDGER)?.common
  if (!definition) throw new Error('there is no ledger')
  const target = targetOf(definition)
  const columnOf = (name: string, no: number): SqlValue => {
    const known: Record<string, SqlValue> = {
      transaction_number: no,
      sequence_number: 1,
      state: 'posted',
      transaction_date: '2026-01-31T00:00:00.000Z',
      amount: no * 12_345,
      description: `Line \u00e9 "${no}"`,
    }
    const column = target.columns.find((one) => one.name === name)
    return (
      known[name] ?? (column?.type === 'string' ? '' : column?.type === 'date-time' ? '1900-01-01T00:00:00.000Z' : 0)
    )
  }
  const rows = Array.from({ length: count }, (_, at) => target.columns.map(({ name }) => columnOf(name, from + at)))
  await world.application.service.store.write('EN', ACTOR, async (tx) => {
    await tx.insertRows(target, rows)
    writeRowsEntry(tx, LEDGER, ['file', from], count)
  })
}

onEachStore(
  'the change log',
  (world) => {
    it('tells documents as their list does, with every revision', async () => {
      const from = await newestPosition(world())
      const { id } = await create(world(), invoiceOf('First, "fileHash":"00", "docSize":1'))
      const first = await listed(world(), id)
      await send(world(), 'PATCH', urlOf(id), [replace('/title', 'Second')])
      const second = await listed(world(), id)
      await revise(world(), id, { fileName: 'other.txt' })
      const third = await listed(world(), id)
      const changes = await changesAfter(world(), from, 2)
      const [one, two] = [await revisionOf(world(), id, 1), await revisionOf(world(), id, 2)]
      expect(changes.map(shortOf)).toEqual([
        ['document-archive', id, 'create', 0],
        ['document-revisions', `${id}/1`, 'create', 1],
        ['document-archive', id, 'update', 0],
        ['document-archive', id, 'update', 0],
        ['document-revisions', `${id}/2`, 'create', 0],
      ])
      expect(changes.map(({ before, after }) => [before, after])).toEqual([
        ['', first],
        ['', one],
        [first, second],
        [second, third],
        ['', two],
      ])
      expect(changes.map(({ documentText }) => documentText)).toEqual([undefined, first, undefined, undefined, third])
      const size = changes.map(({ unseen }) => unseen.after.doc_size)
      const answer = await world().send({
        as: AS,
        url: objects('document-archive', { select: 'docSize', filter: `id eq '${id}'` }),
      })
      expect(size[3]).toBe(answer.json[0].docSize)
      expect(await changesAfter(world(), from, 1000)).toEqual(changes)
      const etag = (await world().send({ as: AS, url: urlOf(id) })).headers.etag
      expect(`"${changes[3]?.etag}"`).toBe(etag)
    })

    it('tells a purged document and its revisions with what they were', async () => {
      const { id } = await create(world(), noteOf('To be purged'))
      await revise(world(), id)
      const [one, two] = [await revisionOf(world(), id, 1), await revisionOf(world(), id, 2)]
      const last = await listed(world(), id)
      const from = await newestPosition(world())
      expect(await purgeAll(world(), { kind: documentKind, filter: `id eq '${id}'` })).toEqual(['removed'])
      const changes = await changesAfter(world(), from, 1)
      expect(changes.map(shortOf)).toEqual([
        ['document-archive', id, 'delete', 0],
        ['document-revisions', `${id}/1`, 'delete', 1],
        ['document-revisions', `${id}/2`, 'delete', 2],
      ])
      expect(changes.map(({ before, after }) => [before, after])).toEqual([
        [last, ''],
        [one, ''],
        [two, ''],
      ])
      expect(changes.some(({ isBeforeUnknown }) => isBeforeUnknown)).toBe(false)
    })

    it('tells every row of an import, as the collection answers it', async () => {
      const from = await newestPosition(world())
      await importLines(world(), 1, 5)
      await importLines(world(), 6, 3)
      const changes = await changesAfter(world(), from, 2)
      const { text } = await world().send({
        as: AS,
        url: `${objects(LEDGER, {})}&posted=true`,
        headers: { accept: 'application/x-ndjson' },
      })
      expect(changes.map(({ after }) => after)).toEqual(text.trimEnd().split('\n'))
      expect(changes.map(({ key, part }) => [key, part])).toEqual([
        ...[1, 2, 3, 4, 5].map((no) => [[no, 1], no - 1]),
        ...[6, 7, 8].map((no) => [[no, 1], no - 6]),
      ])
      const { store, companies } = world().application.service
      for (const change of changes) {
        expect(
          await readChangeAt(inSteps(store, new Steps()), companies.require('EN'), change, ALL_KINDS.values()),
        ).toEqual(change)
      }
    })

    it('forgets what came before an erasure', async () => {
      const value = { attributeId: 'C1', attributeValue: 'PERSON', description: 'Personal' }
      expect((await send(world(), 'POST', '/v1/attribute-values', value)).status).toBe(201)
      const { store, files, companies } = world().application.service
      const company = companies.require('EN')
      expect((await findLogEnd(store.reading(company.id))).oldest).toBe(0)
      await erase({
        store,
        files,
        documents: DOCUMENTS_OF_ALL,
        declaredRecords: new Map(),
        setupVersion: companies.setupVersion,
        actor: ACTOR,
        company,
        subject: { kind: valueKind, key: { texts: ['C1', 'PERSON'], stored: ['C1', 'PERSON'] } },
        reason: 'asked for',
      })
      const newest = await newestPosition(world())
      expect((await findLogEnd(store.reading(company.id))).oldest).toBe(newest.number)
      await expect(changesAfter(world(), BEGINNING, 100)).rejects.toBeInstanceOf(ChangesGone)
      expect(await changesAfter(world(), newest, 100)).toEqual([])
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/documents.yaml'),
)
