// A PostgreSQL that ends sessions while they write, as at its restart: clients are told, and the service lives on.
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { call, kill, SETUP, type Serving, serve, temporaryFolder } from '../support/process.ts'
import { STORE_KINDS } from '../support/world.ts'

const ROUNDS = 10
const CLIENTS = 8
const VALUES = '/v1/attribute-values'

describe.runIf(STORE_KINDS.includes('postgres'))('the service, when PostgreSQL ends its sessions', () => {
  const folder = temporaryFolder()
  const name = `d${process.pid}_${Date.now() % 100_000_000}`
  let service: Serving | undefined
  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  it('answers 201 for what is there and 503 for what is not, and never ends', async () => {
    const admin = inject('postgresAdmin')
    const client = new pg.Client({ connectionString: `${admin}/postgres` })
    await client.connect()
    await client.query(`create role ${name} login password 'secret'`)
    await client.query(`create database ${name} owner ${name}`)
    const database = `${admin.replace('postgres:postgres@', `${name}:secret@`)}/${name}`
    service = await serve(['--data', folder.path, '--database', database, '--setup', SETUP, '--shutdown-grace', '0'])
    const { address, child, ended } = service

    const acknowledged: string[] = []
    const other = new Set<string>()
    let isWriting = true
    const writing = Array.from({ length: CLIENTS }, async (_, id) => {
      for (let count = 0; isWriting && child.exitCode === null; count++) {
        const body = { attributeId: 'C1', attributeValue: `S${id}N${count}` }
        const answer = await call(address + VALUES, { method: 'POST', body }).catch(() => ({ status: 0 }))
        if (answer.status === 201) acknowledged.push(body.attributeValue)
        else other.add(String(answer.status))
      }
    })
    for (let round = 0; round < ROUNDS; round++) {
      await new Promise((resume) => setTimeout(resume, 100))
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [name])
    }
    isWriting = false
    await Promise.all(writing)
    await client.end()
    expect(child.exitCode === null ? '' : (await ended).stderr).toBe('')
    expect([...other]).toEqual(other.size > 0 ? ['503'] : [])

    const lost: string[] = []
    for (const value of acknowledged) {
      const { status } = await call(`${address}${VALUES}/C1/${value}/0`)
      if (status !== 200) lost.push(`${value}: ${status}`)
    }
    expect(lost).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(0)
  })
})
