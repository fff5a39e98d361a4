// What a backup holds, in one file that is written last: a backup without it, or with one that does not fit, is none.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

export const MANIFEST = 'manifest.json'
export const FORMAT = 1

/** Below the folder that the manifest names; no path. */
const FileName = Type.String({ pattern: '^[a-z0-9_][a-z0-9_.-]*$' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })
const Instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' })

const BackupFile = Type.Object({ name: FileName, sha256: Sha256, sizeBytes: Count })
export type BackupFile = Static<typeof BackupFile>

const LackingContent = Type.Object({
  companyId: Type.String(),
  hash: Sha256,
  kind: Type.Union([Type.Literal('missing'), Type.Literal('damaged')]),
})
/** A content that records refer to and that was not to be had when the backup was taken. */
export type LackingContent = Static<typeof LackingContent>

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  program: Type.String(),
  begun: Instant,
  ended: Instant,
  /** Of the files named below, in `database`. */
  folder: Type.String({ pattern: '^[0-9TZ.-]+$' }),
  database: Type.Object({
    kind: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
    migrations: Type.Array(Type.String()),
    files: Type.Array(BackupFile),
    /** Table -> rows. */
    tables: Type.Record(Type.String(), Count),
  }),
  contents: Type.Object({ list: BackupFile, files: Count, sizeBytes: Count, lacking: Type.Array(LackingContent) }),
  keys: Type.Optional(BackupFile),
})
export type Manifest = Static<typeof Manifest>

/** Why a folder is not taken for a backup. */
export class NoBackup extends Error {
  override readonly name = 'NoBackup'
}

/** Where the files that the manifest names are. */
export function stateFolder(target: string, { folder }: Pick<Manifest, 'folder'>): string {
  return join(target, 'database', folder)
}

/** With a hash of itself, so that no bit of it changes unseen. */
export function printManifest(manifest: Manifest): string {
  const sha256 = createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
  return `${JSON.stringify({ ...manifest, sha256 }, undefined, 2)}\n`
}

/** Throws NoBackup when there is none, or one that was changed. */
export async function readManifest(target: string): Promise<Manifest> {
  const text = await readText(target)
  const told = parsed(text)
  if (typeof told !== 'object' || told === null) throw damaged(target)
  const { sha256: _, ...manifest } = told as Manifest & { sha256: string }
  if (printManifest(manifest as Manifest) !== text) throw damaged(target)
  const { format } = manifest as { format: unknown }
  if (format !== FORMAT)
    throw new NoBackup(`${target} was made by another version of Tabularium: its format is ${format}`)
  if (!Value.Check(Manifest, manifest)) throw damaged(target)
  return manifest as Manifest
}

async function readText(target: string): Promise<string> {
  try {
    // Read as it is: what is no UTF-8 would be replaced, and then not be what was printed.
    return await readFile(join(target, MANIFEST), 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new NoBackup(
      `${target} is no whole backup: it has no ${MANIFEST}; run the backup again when it was interrupted`,
    )
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function damaged(target: string): NoBackup {
  return new NoBackup(`the ${MANIFEST} of ${target} is damaged`)
}
