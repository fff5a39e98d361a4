// How pdf.js opens a document: with access to nothing but the bytes, and to files of its own package. No scripts,
// network, system fonts or code from strings.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'

const PACKAGE = new URL('../../', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs'))

/** `folders`: those of the package that files may be read of, by the options that name them. */
export function confinedOptions(folders: Readonly<Record<string, string>>) {
  return {
    /** Loads files of the package by name. */
    BinaryDataFactory: class {
      async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
        const folder = folders[kind]
        if (folder === undefined) throw new Error(`no ${kind} here`)
        return new Uint8Array(await readFile(new URL(folder + basename(filename), PACKAGE)))
      }
    },
    ...folders,
    cMapPacked: true,
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
  }
}
