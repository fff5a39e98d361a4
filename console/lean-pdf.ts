// PDF.js in half its size: what edits PDFs, which the console does not, is made droppable for the bundler.
import type { Plugin } from 'vite'

/** It keeps all that is exported. */
const GLOBAL = /^globalThis\.pdfjsLib = \{[^}]*\};$/m
/** There is none without an editor. */
const OF_EDITORS = /\w+ instanceof AnnotationEditor\b/g
/** The bundler keeps a class for them, because it cannot know that they change nothing else. */
const STATIC_VALUES = /^( {2}static #?\w+ = )(.+);$/gm

/** `test/console/sizes.test.ts` fails if another version of PDF.js is written otherwise. */
export function leanPdf(): Plugin {
  return {
    name: 'lean-pdf',
    transform: {
      filter: { id: /pdfjs-dist\/build\/pdf\.mjs$/ },
      handler: (code) =>
        code
          .replace(GLOBAL, '')
          .replaceAll(OF_EDITORS, 'false')
          .replaceAll(STATIC_VALUES, '$1/* @__PURE__ */ (() => $2)();'),
    },
  }
}
