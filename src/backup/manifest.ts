// The manifest lists what a backup holds. It is written last: without a valid manifest, a folder is not a backup.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { jsonOrUndefined } from '../base/strict-json.ts'
import { codeOf } from '../base/thrown.ts'
import { DRIVERS } from '../databases/open/drivers.ts'

export const MANIFEST = 'manifest.json'
export const FORMAT = 1

/** A plain file name in the folder that the manifest names. */
const FileName = Type.String({ pattern: '^[a-z0-9_][a-z0-9_.-]*$' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })
const Instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' })

const BackupFile = Type.Object({ name: FileName, sha256: Sha256, sizeBytes: Count })
export type BackupFile = Static<typeof BackupFile>

const MissingContentSchema = Type.Object({
  companyId: Type.String(),
  hash: Sha256,
  kind: Type.Union([Type.Literal('missing'), Type.Literal('damaged')]),
})
/** A content that records refer to, but that was missing or damaged when the backup was taken. */
export type MissingContent = Static<typeof MissingContentSchema>

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  program: Type.String(),
  begun: Instant,
  ended: Instant,
  /** The folder of the files named below, inside `database`. */
  folder: Type.String({ pattern: '^[0-9TZ.-]+$' }),
  database: Type.Object({
    kind: Type.Enum(DRIVERS.map(({ name }) => name)),
    migrations: Type.Array(Type.String()),
    files: Type.Array(BackupFile),
    /** Table name -> number of rows. */
    tables: Type.Record(Type.String(), Count),
    /** Each company is as of a moment of its own, between `begun` and `ended`. Absent: all are as of one. */
    isOfManyMoments: Type.Optional(Type.Literal(true)),
  }),
  contents: Type.Object({
    list: BackupFile,
    files: Count,
    sizeBytes: Count,
    lacking: Type.Array(MissingContentSchema),
  }),
})
export type Manifest = Static<typeof Manifest>

/** The reason why a folder is not accepted as a backup. */
export class NotABackup extends Error {
  override readonly name = 'NotABackup'
}

/** The folder of the files that the manifest names. */
export function stateFolder(target: string, { folder }: Pick<Manifest, 'folder'>): string {
  return join(target, 'database', folder)
}

/** Contains a hash of itself, so that any change is detected. */
export function printManifest(manifest: Manifest): string {
  const sha256 = createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
  return `${JSON.stringify({ ...manifest, sha256 }, undefined, 2)}\n`
}

/** Throws NotABackup when the manifest is missing or has been changed. */
export async function readManifest(target: string): Promise<Manifest> {
  const text = await readText(target)
  const content = jsonOrUndefined(text)
  if (typeof content !== 'object' || content === null) throw damagedManifest(target)
  const { sha256: _, ...manifest } = content as Manifest & { sha256: string }
  if (printManifest(manifest) !== text) throw damagedManifest(target)
  const { format } = manifest as { format: unknown }
  if (format !== FORMAT)
    throw new NotABackup(`${target} was made by another version of Tabularium: its format is ${format}`)
  if (!Value.Check(Manifest, manifest)) throw damagedManifest(target)
  return manifest
}

async function readText(target: string): Promise<string> {
  try {
    // Invalid UTF-8 is replaced on reading; the text then differs from the printed manifest and counts as damaged.
    return await readFile(join(target, MANIFEST), 'utf8')
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause
    throw new NotABackup(
      `${target} is no whole backup: it has no ${MANIFEST}; run the backup again when it was interrupted`,
    )
  }
}

function damagedManifest(target: string): NotABackup {
  return new NotABackup(`the ${MANIFEST} of ${target} is damaged`)
}
