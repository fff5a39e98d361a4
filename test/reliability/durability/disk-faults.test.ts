// A disk that fails during a write: no write is acknowledged that may be lost, and the process exits.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { call, integrityOf, kill, rowsOf, SETUP, type Serving, serve, temporaryFolder } from '../../support/process.ts'

/** The maximum file size: 1 MiB, or 2 MiB where the shell counts in kilobytes. SQLite's log grows to 4 MiB. */
const LIMIT_BLOCKS = 2048
const CLIENTS = 8
const MAX_WRITES = 5_000
const VALUES = '/v1/attribute-values'
/** Long enough to fill the log soon. */
const DESCRIPTION = 'x'.repeat(2_000)

interface Outcome {
  readonly acknowledged: string[]
  readonly refused: { status: number; retryAfter: string | null; text: string }[]
  /** Requests whose connection broke before an answer arrived. */
  readonly broken: string[]
}

describe('the service on a disk that fails', () => {
  const folder = temporaryFolder()
  const data = ['--data', folder.path]
  const outcome: Outcome = { acknowledged: [], refused: [], broken: [] }
  let service: Serving | undefined

  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  it('answers 503 with Retry-After, acknowledges nothing more, and ends with exit code 70', async () => {
    // The ballast would be larger than the limit.
    writeFileSync(join(folder.path, 'ballast'), '')
    service = await serve([...data, '--setup', SETUP])
    await kill(service)

    service = await serve(data, { before: `ulimit -f ${LIMIT_BLOCKS}` })
    const { address } = service
    await Promise.all(Array.from({ length: CLIENTS }, (_, id) => writeUntilRefused(address, id, outcome)))
    const { code, stderr } = await service.ended

    expect(outcome.acknowledged.length).toBeGreaterThan(0)
    expect({ code, stderr }).toEqual({ code: 70, stderr: expect.stringContaining('SQLITE_IOERR') })
    const statuses = outcome.refused.map(({ status, retryAfter }) => `${status} ${Number(retryAfter) > 0}`)
    expect(new Set(statuses)).toEqual(new Set(['503 true']))
  })

  it('has every acknowledged write after a restart, and a sound file', async () => {
    expect(integrityOf(folder.path)).toBe('ok')
    service = await serve(data)
    const { address } = service
    const lost: string[] = []
    for (const name of outcome.acknowledged) {
      const { status, text } = await call(`${address}${VALUES}/C1/${name}/0`)
      if (status !== 200 || !text.includes(DESCRIPTION)) lost.push(`${name}: ${status}`)
    }
    expect(lost).toEqual([])
    expect(await call(address + VALUES, { method: 'POST', body: bodyOf('AFTER') })).toMatchObject({ status: 201 })
    await kill(service)

    const stored = rowsOf(folder.path, `select attribute_value from attribute_value where attribute_value like 'D%N%'`)
    const answered = new Set(outcome.acknowledged)
    const unknown = stored.map((row) => String(row.attribute_value)).filter((name) => !answered.has(name))
    // A write without an answer may be stored; a rejected one may not.
    expect(unknown.filter((name) => !outcome.broken.includes(name))).toEqual([])
    expect(integrityOf(folder.path)).toBe('ok')
  })
})

function bodyOf(name: string) {
  return { attributeId: 'C1', attributeValue: name, description: DESCRIPTION }
}

async function writeUntilRefused(address: string, id: number, outcome: Outcome): Promise<void> {
  for (let count = 0; count < MAX_WRITES; count++) {
    const name = `D${id}N${count}`
    try {
      const { status, headers, text } = await call(address + VALUES, { method: 'POST', body: bodyOf(name) })
      if (status === 201) outcome.acknowledged.push(name)
      else outcome.refused.push({ status, retryAfter: headers.get('retry-after'), text })
      if (status !== 201) return
    } catch {
      outcome.broken.push(name)
      return
    }
  }
}
