// Acknowledged means there, whole and once: the real process is killed in the middle of writing, again and again.
import { createHash, randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  integrityOf,
  kill,
  rowsOf,
  run,
  SETUP,
  type Serving,
  serve,
  temporaryFolder,
} from '../support/process.ts'
import { randomNumbers } from '../support/trial.ts'

const KILLS = Number(process.env.KILLS ?? 3)
const SEED = Number(process.env.TABULARIUM_SEED ?? randomInt(2 ** 31))
const CLIENTS = 8
/** The service is killed this long after it was ready. */
const KILL_MS = [20, 800] as const
const VALUES = '/v1/attribute-values'

/** What one client was told. */
interface Acknowledged {
  readonly name: string
  description: string
  relation: string
}

class Client {
  readonly acknowledged = new Map<string, Acknowledged>()
  /** A patch that was sent and never answered: either text may be there. */
  readonly doubtful = new Map<string, string>()
  readonly unanswered: string[] = []
  readonly refused: string[] = []
  readonly #id: number
  #count = 0

  constructor(id: number) {
    this.#id = id
  }

  /** Writes until the service is gone. */
  async write(address: string): Promise<void> {
    for (;;) {
      const name = `K${this.#id}N${this.#count++}`
      try {
        await this.#create(address, name)
        if (this.#count % 3 === 0) await this.#patch(address, name)
      } catch {
        return
      }
    }
  }

  async #create(address: string, name: string): Promise<void> {
    this.unanswered.push(name)
    const body = {
      attributeId: 'C1',
      attributeValue: name,
      description: `made ${name}`,
      relatedValues: [{ relationId: 'REL1', relatedValue: '100', percentage: 50 }],
    }
    const { status, text } = await call(address + VALUES, { method: 'POST', body })
    this.unanswered.pop()
    if (status === 201) this.acknowledged.set(name, { name, description: body.description, relation: '100' })
    else this.refused.push(`POST ${name}: ${status} ${text}`)
  }

  async #patch(address: string, name: string): Promise<void> {
    const known = this.acknowledged.get(name)
    if (!known) return
    const description = `changed ${name}`
    this.doubtful.set(name, description)
    const body = [
      { op: 'replace', path: '/description', value: description },
      { op: 'replace', path: '/relatedValues/0/relatedValue', value: '200' },
    ]
    const { status, text } = await call(`${address}${VALUES}/C1/${name}/0`, { method: 'PATCH', body })
    this.doubtful.delete(name)
    if (status === 200) this.acknowledged.set(name, { name, description, relation: '200' })
    else this.refused.push(`PATCH ${name}: ${status} ${text}`)
  }
}

/** What is wrong with the acknowledged values, as the service answers them. */
async function lostOf(address: string, client: Client): Promise<string[]> {
  const lost: string[] = []
  for (const known of client.acknowledged.values()) {
    const { status, text } = await call(`${address}${VALUES}/C1/${known.name}/0`)
    if (status !== 200) {
      lost.push(`${known.name}: ${status} ${text}`)
      continue
    }
    const record = JSON.parse(text) as { description: string; relatedValues: { relatedValue: string }[] }
    const found = `${record.description}, ${record.relatedValues.map((one) => one.relatedValue)}`
    const changed = client.doubtful.get(known.name)
    const possible = [`${known.description}, ${known.relation}`, ...(changed ? [`${changed}, 200`] : [])]
    if (!possible.includes(found)) lost.push(`${known.name}: ${found} instead of ${possible.join(' or ')}`)
    if (changed && found === `${changed}, 200`)
      client.acknowledged.set(known.name, { ...known, description: changed, relation: '200' })
    client.doubtful.delete(known.name)
  }
  return lost
}

const COUNTS_OF_VALUES = `
  select v.attribute_value as name,
    (select count(*) from journal_entry j where j.company_id = v.company_id and j.entity = 'attribute-value'
      and j.operation = 'create' and j.record_key = json_array(v.attribute_id, v.attribute_value, v.period_from)) as entries,
    (select count(*) from attribute_relation r where r.company_id = v.company_id and r.attribute_id = v.attribute_id
      and r.attribute_value = v.attribute_value) as relations
  from attribute_value v where v.company_id = 'EN' and v.attribute_id = 'C1' and v.attribute_value like 'K%N%'`

const ENTRIES_WITHOUT_VALUE = `
  select record_key from journal_entry j where j.company_id = 'EN' and j.entity = 'attribute-value'
    and j.operation = 'create' and not exists (select 1 from attribute_value v where v.company_id = j.company_id
      and j.record_key = json_array(v.attribute_id, v.attribute_value, v.period_from))`

const GAPS = `
  select c.company_id, c.last_entry, count(j.entry_no) as entries, max(j.entry_no) as last, count(distinct j.entry_no) as numbers
  from journal_counter c left join journal_entry j on j.company_id = c.company_id
  group by c.company_id having c.last_entry < coalesce(max(j.entry_no), 0) or count(j.entry_no) <> count(distinct j.entry_no)`

describe(`the service, killed ${KILLS} times while ${CLIENTS} clients write (TABULARIUM_SEED=${SEED})`, () => {
  const folder = temporaryFolder()
  const data = ['--data', folder.path, '--setup', SETUP]
  const random = randomNumbers(SEED)
  const clients = Array.from({ length: CLIENTS }, (_, id) => new Client(id))
  let service: Serving | undefined

  beforeAll(() => console.log(`kill test: TABULARIUM_SEED=${SEED} KILLS=${KILLS}`))
  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  it(
    'keeps every acknowledged write, and of the others all or nothing',
    async () => {
      let lastEntry = 0
      let journal = journalUpTo(undefined, 0)
      for (let round = 0; round < KILLS; round++) {
        service = await serve(data)
        const { address } = service
        const writing = clients.map((client) => client.write(address))
        await new Promise((resume) => setTimeout(resume, KILL_MS[0] + random() * (KILL_MS[1] - KILL_MS[0])))
        const { signal } = await kill(service)
        await Promise.all(writing)
        expect({ round, signal }).toEqual({ round, signal: 'SIGKILL' })
        expect({ round, integrity: integrityOf(folder.path) }).toEqual({ round, integrity: 'ok' })
        expect(halves(folder.path)).toEqual([])
        // What the journal told before, it tells still: numbers only grow.
        expect(journalUpTo(folder.path, lastEntry)).toEqual(journal)
        lastEntry = lastEntryOf(folder.path)
        journal = journalUpTo(folder.path, lastEntry)

        service = await serve(data)
        const again = service.address
        expect((await Promise.all(clients.map((client) => lostOf(again, client)))).flat()).toEqual([])
        expect(clients.flatMap((client) => client.refused)).toEqual([])
        // What nobody was told about is there whole, or it can be made now.
        expect(await settleUnanswered(again, clients)).toEqual([])
        await kill(service)
      }
      const acknowledged = clients.reduce((sum, client) => sum + client.acknowledged.size, 0)
      console.log(`kill test: ${acknowledged} values acknowledged, none lost`)
      expect(acknowledged).toBeGreaterThan(0)
    },
    60_000 + KILLS * 30_000,
  )

  it('refuses a second process on the same data folder, in one line', async () => {
    service = await serve(data)
    const second = await run(['serve', '--port', '0', ...data])
    expect({ code: second.code, stdout: second.stdout, stderr: second.stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `tabularium: the data folder ${folder.path} is in use by another Tabularium\n`,
    })
    expect((await call(`${service.address}/health/ready`)).status).toBe(200)
  })
})

/** Values without their one entry and their one relation, and entries without their value. */
function halves(folder: string): unknown[] {
  const values = rowsOf(folder, COUNTS_OF_VALUES).filter((row) => row.entries !== 1 || row.relations !== 1)
  return [...values, ...rowsOf(folder, ENTRIES_WITHOUT_VALUE), ...rowsOf(folder, GAPS)]
}

function lastEntryOf(folder: string): number {
  return Number(rowsOf(folder, `select last_entry from journal_counter where company_id = 'EN'`)[0]?.last_entry ?? 0)
}

/** A digest of the journal of the company up to an entry. */
function journalUpTo(folder: string | undefined, last: number): string {
  const text = `select entry_no, record_key, operation, at, after from journal_entry
    where company_id = 'EN' and entry_no <= ${last} order by entry_no`
  const digest = createHash('sha256')
  for (const row of folder === undefined ? [] : rowsOf(folder, text)) digest.update(JSON.stringify(row))
  return digest.digest('hex')
}

/** Each value whose POST was never answered must be whole, or absent and free. */
async function settleUnanswered(address: string, clients: readonly Client[]): Promise<string[]> {
  const wrong: string[] = []
  for (const client of clients) {
    for (const name of client.unanswered.splice(0)) {
      const { status, text } = await call(`${address}${VALUES}/C1/${name}/0`)
      if (status === 404) continue
      const record = JSON.parse(text) as { description?: string; relatedValues?: unknown[] }
      if (status !== 200 || record.description !== `made ${name}` || record.relatedValues?.length !== 1) {
        wrong.push(`${name}: ${status} ${text}`)
      }
    }
  }
  return wrong
}
