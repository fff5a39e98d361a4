// The setup in force as people read it, and what a file would change of it.
import { hash, randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { previewSetup } from '../../setup/apply/apply-setup.ts'
import { printSetup } from '../../setup/apply/print-setup.ts'
import { itemOf, type SetupItem } from '../../setup/apply/setup-items.ts'
import { listSetupItems } from '../../store/service-state/setup-store.ts'
import type { Store } from '../../store/store.ts'
import { setupTask } from '../setup-task.ts'

/** Members that hold hashes of secrets and passwords. */
const HASHES: ReadonlySet<string> = new Set(['secretHash', 'passwordHash', 'hash'])
const OWNER_ALONE = 0o600
const MARK_LENGTH = 16

export async function setupItems(store: Store): Promise<SetupItem[]> {
  return (await listSetupItems(store.reading(''))).map(itemOf)
}

/** As YAML, with marks in the place of the hashes of secrets. */
export function setupInForce(items: readonly SetupItem[]): string {
  return printSetup(items.map((item) => ({ ...item, definition: marked(item.definition, () => {}) as object })))
}

type OnHash = (mark: string, stored: string) => void

function marked(value: unknown, onHash: OnHash): unknown {
  if (Array.isArray(value)) return value.map((inner) => marked(inner, onHash))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      HASHES.has(name) && typeof inner === 'string' ? markOf(inner, onHash) : marked(inner, onHash),
    ]),
  )
}

/** Says of two hashes whether they are the same, and nothing else. */
function markOf(stored: string, onHash: OnHash): string {
  const mark = `hidden-${hash('sha256', stored, 'hex').slice(0, MARK_LENGTH)}`
  onHash(mark, stored)
  return mark
}

/** The file with the hashes in force in the place of their marks: a file that was copied here is a whole one again. */
function withHashes(setup: string, items: readonly SetupItem[]): string {
  const hashes = new Map<string, string>()
  for (const { definition } of items) marked(definition, (mark, stored) => hashes.set(mark, stored))
  return setup.replace(/hidden-[\da-f]+/g, (mark) => hashes.get(mark) ?? mark)
}

/** What applying a file would change; nothing is changed. Or what is wrong with the file, a line for each fault. */
export async function compareWithForce(
  store: Store,
  setup: string,
): Promise<{ readonly changes: string } | { readonly problems: readonly string[] }> {
  const name = `setup-${randomUUID()}.yaml`
  const file = join(tmpdir(), name)
  await writeFile(file, withHashes(setup, await setupItems(store)), { mode: OWNER_ALONE, flag: 'wx' })
  try {
    const report = await previewSetup(setupTask(store, file, () => {}))
    return { changes: report.text }
  } catch (error) {
    // What is wrong with a setup is a plain error with a message for people; anything else is not the file's fault.
    if (!(error instanceof Error) || error.constructor !== Error) throw error
    return { problems: error.message.replaceAll(file, 'line').replaceAll(name, 'line').split('\n') }
  } finally {
    await rm(file, { force: true })
  }
}
