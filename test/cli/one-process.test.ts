// Commands and services that run in one process, one after the other: none leaves anything there for the next.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { emptyLocation } from '../support/data-location.ts'
import { run, SETUP, serveHere, temporaryFolder } from '../support/process.ts'
import { FEWER_KINDS } from '../support/world.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** What a command can change in its process. */
const stateOfProcess = () => ({
  exitCode: process.exitCode,
  folder: process.cwd(),
  mask: process.umask(),
  variables: { ...process.env },
})

/** Listeners by the beginning of their text, and what keeps a process from its end, each as often as it is there. */
function heldByProcess(): string[] {
  const listeners = process
    .eventNames()
    .flatMap((name) => process.listeners(name as 'exit').map((listener) => `${String(name)} ${listener}`.slice(0, 200)))
  return [...listeners, ...process.getActiveResourcesInfo().filter((name) => /Wrap|Watcher|Event/.test(name))].sort()
}

/** What is held more often than before. A service may have been closing then. */
function addedSince(before: readonly string[]): string[] {
  const left = [...before]
  return heldByProcess().filter((name) => !left.includes(name) || left.splice(left.indexOf(name), 1).length === 0)
}

it.each(FEWER_KINDS)('a process is as before when they have ended, well or not (%s)', async (kind) => {
  const { flags } = await emptyLocation(kind, join(folder.path, kind))
  const wrong = join(folder.path, 'wrong.csv')
  writeFileSync(wrong, 'attributeId,attributeValue\nNONE,1\n')
  const all = async () => {
    const codes: (number | null)[] = []
    for (const command of [
      ['setup', SETUP],
      ['changes', '--since', '0', '--company', 'EN'],
      ['import', 'attribute-values', wrong, '--company', 'EN', '--again'],
      ['export', 'customers', '--company', 'EN'],
      ['files', 'check'],
      ['export', 'customer', '--company', 'EN'],
      ['serve', '--port', '0', '--host', '203.0.113.1'],
    ]) {
      codes.push((await run([...command, ...flags])).code)
    }
    const service = await serveHere(flags)
    expect((await fetch(`${service.address}/health/live`, { headers: { connection: 'close' } })).status).toBe(200)
    await service.stop()
    return codes
  }
  // The first time loads the program, and what that leaves stays.
  await all()
  const [before, held] = [stateOfProcess(), heldByProcess()]
  expect(await all()).toEqual([0, 0, 1, 0, 0, 2, 1])
  expect(stateOfProcess()).toEqual(before)
  await expect.poll(() => addedSince(held)).toEqual([])
})
