// The longest legal texts that no database compresses: stored, found and sorted whatever indexes are on them.

import { expect, it } from 'vitest'
import { base64 } from '../support/documents.ts'
import { insertRows, objects } from '../support/object-records.ts'
import { limitOf } from '../support/text-limits.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const FIXTURE = 'test/fixtures/long-texts.yaml'

/** Incompressible text of letters with this many bytes each, different for each seed. */
function noise(length: number, seed: number, bytes: 1 | 4 = 4): string {
  let state = seed + 1
  const [from, count] = bytes === 4 ? [0x2_00_00, 42_000] : [65, 26]
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return String.fromCodePoint(from + ((state >> 8) % count))
  }).join('')
}

/**
 * Three texts of a length that differ in the last letter alone, in their order; an address holds a long one of one byte
 * each.
 */
const alike = (length: number, bytes: 1 | 4 = 4) =>
  ['a', 'b', 'c'].map((end) => noise(length - 1, length, bytes) + end) as [string, string, string]

const point = { contactPointType: '1', address: {} }
const customer = (customerId: string, rest: object) => ({
  customerId,
  customerName: 'Nordlys',
  customerGroupId: 'DOM',
  countryCode: 'NO',
  contactPoints: [point],
  ...rest,
})

/** Their values are codes, or are checked in another way. */
const CUSTOMER_TEXTS = ['aliasName', 'companyRegistrationNumber', 'customerName', 'externalReference'] as const
const PAYMENT_TEXTS = ['bankAccount', 'postalAccount'] as const

async function start(kind: Parameters<typeof startWorld>[0]) {
  const world = await startWorld(kind, FIXTURE)
  world.application.indexes.start()
  await world.application.indexes.settle()
  const warnings = world.observed.filter(({ kind: seen }) => seen === 'store-warning')
  if (warnings.length > 0) throw new Error(JSON.stringify(warnings))
  return world
}

onEachStore(
  'The longest incompressible texts',
  (world) => {
    const send = (method: Sent['method'], url: string, body?: unknown) =>
      world().send({ as: 'integration', method: method ?? 'GET', url, body })
    const created = async (path: string, body: object) => {
      const answer = await send('POST', `/v1/${path}`, body)
      expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
      return answer.json
    }
    /** What a list finds of these texts by a filter, in an order. */
    const found = async (document: string, path: string, options: Record<string, string>) => {
      const [top = '', inner = ''] = path.split('/')
      const states: Record<string, string> = document === 'general-ledger-transactions' ? { posted: 'true' } : {}
      const answer = await send('GET', objects(document, { select: path, ...states, ...options }))
      expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
      return (answer.json as Record<string, never>[]).map((row) => (inner === '' ? row[top] : row[top]?.[inner]))
    }
    const isFound = async (document: string, path: string, texts: readonly [string, string, string]) => {
      const [first, second, third] = texts
      const start = [...first].slice(0, -1).join('')
      const within = `startswith(${path},'${[...start].slice(0, 120).join('')}')`
      expect(await found(document, path, { filter: `${path} eq '${second}'` })).toEqual([second])
      expect(await found(document, path, { filter: `${path} in ('${third}','none')` })).toEqual([third])
      expect(await found(document, path, { filter: `startswith(${path},'${start}')`, orderby: path })).toEqual(texts)
      expect(await found(document, path, { filter: within, orderby: `${path} desc` })).toEqual([third, second, first])
      expect(await found(document, path, { filter: `${within} and ${path} gt '${first}'`, orderby: path })).toEqual([
        second,
        third,
      ])
      expect(await found(document, path, { filter: `${within} and ${path} lt '${third}'`, orderby: path })).toEqual([
        first,
        second,
      ])
      expect(await found(document, path, { filter: `${within} and ${path} ne '${second}'`, orderby: path })).toEqual([
        first,
        third,
      ])
      const last = await found(document, path, { filter: within, orderby: path, limit: '1', offset: '2' })
      expect(last).toEqual([third])
    }

    it('are stored and found in each text of an attribute value', async () => {
      const descriptions = alike(4_000, 1)
      const owners = alike(255)
      const values = alike(255)
      for (const owner of owners) await created('attribute-values', { attributeId: 'OW', attributeValue: owner })
      for (const [at, attributeValue] of values.entries()) {
        const texts = { description: descriptions[at], owner: owners[at] }
        await created('attribute-values', { attributeId: 'C6', attributeValue, ...texts })
      }
      await isFound('attribute-values', 'description', descriptions)
      await isFound('attribute-values', 'owner', owners)
      const part = [...descriptions[1]].slice(-300).join('')
      const filter = `contains(description,'${part}')`
      expect(await found('attribute-values', 'description', { filter })).toEqual([descriptions[1]])
      const whole = `attributeId eq 'C6' and description eq '${descriptions[2]}' and owner eq '${owners[2]}'`
      expect(await found('attribute-values', 'attributeValue', { filter: whole })).toEqual([values[2]])
    })

    it('are stored when they are patched, with four bytes for each letter', async () => {
      await created('attribute-values', { attributeId: 'C6', attributeValue: 'PATCHED' })
      const description = noise(4_000, 7)
      const body = [{ op: 'replace', path: '/description', value: description }]
      const answer = await send('PATCH', '/v1/attribute-values/C6/PATCHED/0', body)
      expect([answer.status, answer.json.description === description]).toEqual([200, true])
      const filter = `startswith(description,'${[...description].slice(0, 300).join('')}')`
      expect(await found('attribute-values', 'attributeValue', { filter })).toEqual(['PATCHED'])
    })

    it('are compared by their letters wherever an index cuts them', async () => {
      const texts = [58, 59, 60, 61, 62, 63, 64, 99, 100].flatMap((length) =>
        ['', 'z', 'zz', 'é', 'z漢', '漢', '漢é', '😀', '\u{10ffff}', '\u{10ffff}z'].map(
          (end) => 'x'.repeat(length) + end,
        ),
      )
      const sorted = texts.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
      await insertRows(
        world(),
        'attribute_value',
        texts.map((description, at) => ({
          company_id: 'EN',
          attribute_id: 'AT',
          attribute_value: `CUT${at}`,
          period_from: 0,
          description,
        })),
      )
      const all = "startswith(attributeValue,'CUT')"
      const ask = (test: string) =>
        found('attribute-values', 'description', { filter: `${all} and ${test}`, orderby: 'description' })
      for (const [at, text] of sorted.entries()) {
        expect(await ask(`description gt '${text}'`)).toEqual(sorted.slice(at + 1))
        expect(await ask(`description ge '${text}'`)).toEqual(sorted.slice(at))
        expect(await ask(`description lt '${text}'`)).toEqual(sorted.slice(0, at))
        expect(await ask(`not (description le '${text}')`)).toEqual(sorted.slice(at + 1))
        expect(await ask(`description in ('${text}','')`)).toEqual([text])
        const started = sorted.filter((one) => one.startsWith(text))
        expect(await ask(`startswith(description,'${text}')`)).toEqual(started)
      }
    })

    it('are stored and found in both ends of a relation', async () => {
      const [attributeValue] = alike(254)
      const [, relationValue] = alike(254)
      await created('attribute-values', { attributeId: 'C6', attributeValue })
      await created('attribute-values', { attributeId: 'OW', attributeValue: relationValue })
      const ids = { attributeId: 'C6', relatedAttributeId: 'OW' }
      await created('attribute-relations', { ...ids, attributeValue, relationValue, relationId: 'R1' })
      const filter = `relationValue eq '${relationValue}'`
      expect(await found('attribute-relations', 'attributeValue', { filter })).toEqual([attributeValue])
    })

    it('are stored and found in each text of a customer', async () => {
      const texts = (at: number, names: readonly string[]) =>
        Object.fromEntries(names.map((name) => [name, alike(limitOf(name))[at]]))
      const notes = alike(3_900, 1)
      for (const at of [0, 1, 2]) {
        const custom = { customFieldGroups: { notes: { text: notes[at] } } }
        const payment = { payment: texts(at, PAYMENT_TEXTS) }
        await created('customers', customer(`K${at}`, { ...texts(at, CUSTOMER_TEXTS), ...payment, ...custom }))
      }
      for (const name of CUSTOMER_TEXTS) await isFound('customers', name, alike(limitOf(name)))
      for (const name of PAYMENT_TEXTS) await isFound('customers', `payment/${name}`, alike(limitOf(name)))
      const longest = { customFieldGroups: { notes: { text: noise(10_000, 3) } } }
      await created('customers', customer('K4', longest))
      const filter = `customFieldGroups/notes/text eq '${notes[1]}'`
      expect(await found('customers', 'customerId', { filter })).toEqual(['K1'])
    })

    it('are stored and found in each text of a document', async () => {
      const [titles, descriptions, remarks] = [alike(255), alike(4_000, 1), alike(255)]
      const names = alike(62).map((name) => `${name}.txt`)
      for (const [at, title] of titles.entries()) {
        const indexes = [{ sequenceNo: 1, indexValue: remarks[at] }]
        const texts = { title, description: descriptions[at], fileName: names[at], indexes }
        const { id } = await created('documents', { docType: 'NOTE', fileContent: base64('text'), ...texts })
        const comment = noise(4_000, at)
        const body = { comment, fileName: 'note.txt', fileContent: base64(`text ${at}`) }
        await created('document-revisions', { id, ...body })
      }
      await isFound('document-archive', 'title', titles)
      await isFound('document-archive', 'description', descriptions)
      const listed = await send('GET', `/v1/documents?indexes=${encodeURIComponent(remarks[1])}`)
      expect([listed.status, listed.text.includes(titles[1])]).toEqual([200, true])
      expect(listed.text).not.toContain(titles[0])
    })

    it('are stored and found in each text of the ledger', async () => {
      const [descriptions, texts] = [alike(4_000, 1), alike(255)]
      const line = (at: number) => ({
        company_id: 'EN',
        transaction_number: at + 1,
        sequence_number: 1,
        state: 'posted',
        description: descriptions[at] ?? '',
        external_reference: texts[at] ?? '',
        customer_id: texts[at] ?? '',
        account: texts[at] ?? '',
        currency_code: texts[at] ?? '',
      })
      await insertRows(world(), 'ledger_transaction', [0, 1, 2].map(line))
      const document = 'general-ledger-transactions'
      await isFound(document, 'description', descriptions)
      await isFound(document, 'externalReference', texts)
      await isFound(document, 'accountingInformation/account', texts)
    })

    it('are stored and found in each text of a custom document', async () => {
      const [keys, texts, remarks] = [alike(255), alike(7_000, 1), alike(3_900, 1)]
      const note = (at: number) => ({
        company_id: 'EN',
        note_id: keys[at] ?? '',
        part: keys[2 - at] ?? '',
        text: texts[at] ?? '',
        remark: remarks[at] ?? '',
      })
      await insertRows(world(), 'own_notes', [0, 1, 2].map(note))
      await isFound('notes', 'noteId', keys)
      await isFound('notes', 'remark', remarks)
      await isFound('notes', 'text', texts)
    })
  },
  start,
)
