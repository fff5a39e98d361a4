// The setup in force as people read it, and what a file would change of it.
import { hash } from 'node:crypto'
import { coded } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import type { Translate } from '../../errors/sentences.ts'
import type { Observe } from '../../observe/observation.ts'
import { applySetup, previewSetup, type SetupTask } from '../../setup/apply/apply-setup.ts'
import { printSetup } from '../../setup/apply/print-setup.ts'
import { InvalidSetup } from '../../setup/file/invalid-setup.ts'
import { readItems, type SetupItem } from '../../setup/items/setup-item.ts'
import type { Actor, Store } from '../../store/store.ts'
import { setupTask, type WebhookSettings } from './setup-task.ts'

/** Members that hold hashes of secrets and passwords. */
const HASHES: ReadonlySet<string> = new Set(['secretHash', 'passwordHash', 'hash'])
const MARK_LENGTH = 16
/** Messages begin with it, and go on with line and column. */
const NAME = 'line'

/** As YAML, with marks in the place of the hashes of secrets. */
export function setupInForce(items: readonly SetupItem[]): string {
  return printSetup(markedItems(items, new Map()))
}

/** `hashes` gets each hash by its mark. */
function markedItems(items: readonly SetupItem[], hashes: Map<string, string>): SetupItem[] {
  return items.map((item) => ({ ...item, definition: marked(item.definition, hashes) as object }))
}

function marked(value: unknown, hashes: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((inner) => marked(inner, hashes))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (!HASHES.has(name) || typeof inner !== 'string') return [name, marked(inner, hashes)]
      hashes.set(markOf(inner), inner)
      return [name, markOf(inner)]
    }),
  )
}

/** Says of two hashes whether they are the same, and nothing else. */
const markOf = (stored: string): string => `hidden-${hash('sha256', stored, 'hex').slice(0, MARK_LENGTH)}`

/** The file with the hashes in force in the place of their marks: a file that was copied here is a whole one again. */
function withHashes(setup: string, items: readonly SetupItem[]): string {
  const hashes = new Map<string, string>()
  markedItems(items, hashes)
  return setup.replace(/hidden-[\da-f]+/g, (mark) => hashes.get(mark) ?? mark)
}

/** Where a setup is applied, and by whom. */
interface SetupPlace extends WebhookSettings {
  readonly store: Store
  readonly observe: Observe
  readonly actor: Actor
  readonly environment?: NodeJS.ProcessEnv | undefined
}

/**
 * What applying a file would change; nothing is changed. Or what is wrong with the file, a line for each fault: its
 * place, and the fault as `translate` tells it.
 */
export async function compareWithForce(
  setup: string,
  place: SetupPlace,
  translate: Translate,
): Promise<{ readonly changes: string } | { readonly problems: readonly string[] }> {
  try {
    return { changes: (await previewSetup(await taskOf(setup, { ...place, observe: () => {} }))).text }
  } catch (error) {
    if (!(error instanceof InvalidSetup)) throw error
    return { problems: refusal(error).translated(translate).message.split('\n') }
  }
}

/** Applies it, as `tabularium setup` does, and tells what has changed. Throws 422 with what is wrong. */
export async function applyToForce(setup: string, place: SetupPlace): Promise<string> {
  try {
    return (await applySetup(await taskOf(setup, place))).text
  } catch (error) {
    throw error instanceof InvalidSetup ? refusal(error) : error
  }
}

/** A line for each fault, which are put into other words by themselves: at a line of the file, or of a document. */
function refusal({ message, faults }: InvalidSetup): Problem {
  const parts = faults.map(({ place, message }) => ({
    message: place.startsWith(`${NAME}:`) ? message : `${place}: ${message}`,
  }))
  return coded(422, 3010, message, { parts })
}

async function taskOf(
  setup: string,
  { store, observe, actor, environment, webhookNetworks }: SetupPlace,
): Promise<SetupTask> {
  const text = withHashes(setup, await readItems(store.reading('')))
  return setupTask(store, NAME, observe, { text, actor, webhookNetworks, ...(environment ? { environment } : {}) })
}
