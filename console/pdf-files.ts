// The tables, fonts and decoders that PDF.js asks for by name, as files of the console. They are read when a document
// needs them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const PACKAGE = join(import.meta.dirname, '../node_modules/pdfjs-dist')
/** The decoders are those in JavaScript: WebAssembly would need a policy that allows to compile code. */
const PATTERNS = ['cmaps/*', 'standard_fonts/*', 'wasm/*_nowasm_fallback.js', 'wasm/LICENSE*']

const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))

/** Browsers keep assets, so the folder has the version in its name. */
export const PDF_FILES = `assets/pdfjs-${version}/`

export function pdfFiles(): Plugin {
  return {
    name: 'pdf-files',
    generateBundle() {
      for (const name of globSync(PATTERNS, { cwd: PACKAGE })) {
        this.emitFile({ type: 'asset', fileName: PDF_FILES + name, source: readFileSync(join(PACKAGE, name)) })
      }
    },
  }
}
