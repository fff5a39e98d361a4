// The service opens no connection but those of its setup: strace writes down each address that it, its workers and the
// processes that it starts connect or send to, from its start to its end.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hasStrace } from '../reliability/durability/disk/strace.ts'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'
import { startReceiver } from '../support/otlp.ts'
import { type Folder, run, serve, temporaryFolder } from '../support/process.ts'

if (!hasStrace)
  console.warn('contacts-nobody: not tried, because strace is not installed, or may not look into a process')

/** As strace prints the addresses of networks, of both versions. */
const ADDRESS = /sin6?_port=htons\((\d+)\)/g

let folder: Folder
beforeEach(() => {
  folder = temporaryFolder()
  // A traced service on a busy machine is slow, which is no failure.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
})
afterEach(() => {
  vi.restoreAllMocks()
  folder.remove()
})

/** The ports of other programs that the demo has contacted while it was used in all ways. */
async function portsOf(environment: Readonly<Record<string, string>>): Promise<number[]> {
  const log = join(folder.path, 'log')
  // The tracer is a process beside, so that signals reach the service.
  const before = `exec strace -D -f --seccomp-bpf -qq -e trace=connect,sendto,sendmsg,sendmmsg -o ${log} "$@"`
  const args = ['--data', join(folder.path, 'data'), '50', '--shutdown-grace', '0']
  const { address, child, ended } = await serve(args, { before, environment }, 'demo')
  const smoke = { environment: { TABULARIUM_SECRET: 'demo-secret' } }
  const told = await run(['smoke', '--url', address, '--client', 'demo'], smoke)
  expect([told.code, told.stdout]).toEqual([0, expect.stringContaining(' 0 failed, 0 not asked')])
  // The text of PDFs and a thumbnail are made by processes.
  const documents = async () => {
    const headers = DEMO_AUTHORIZATION
    const answer = await fetch(`${address}/v1/documents?companyId=EN&search=317526490`, { headers })
    return ((await answer.json()) as { items: { id: string }[] }).items
  }
  await expect.poll(documents).toHaveLength(1)
  const [{ id } = { id: '' }] = await documents()
  await fetch(`${address}/v1/documents/${id}/thumbnail`, { headers: DEMO_AUTHORIZATION })
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
  const found = globSync(`${log}*`).flatMap((file) => [...readFileSync(file, 'utf8').matchAll(ADDRESS)])
  return [...new Set(found.map(([, port]) => Number(port)))]
}

it.runIf(hasStrace)('contacts nobody from its start to its end', async () => {
  expect(await portsOf({})).toEqual([])
})

it.runIf(hasStrace)('contacts whom it is told to, and nobody else', async () => {
  const receiver = await startReceiver()
  try {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
    expect(await portsOf(environment)).toEqual([Number(new URL(receiver.url).port)])
  } finally {
    await receiver.stop()
  }
})
