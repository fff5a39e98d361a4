// The console as files that the service serves at `/console/`. Nothing in it is loaded from any other host.
import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { leanPdf } from './lean-pdf.ts'

/** Browsers keep assets, so the folder has the version in its name. */
const { version } = JSON.parse(readFileSync('node_modules/pdfjs-dist/package.json', 'utf8'))

export default defineConfig({
  root: import.meta.dirname,
  // The service puts the path that it is mounted under in the place of this one.
  base: '/BASE-PATH/console/',
  plugins: [react(), leanPdf()],
  define: { PDF_FILES: JSON.stringify(`assets/pdfjs-${version}/`) },
  logLevel: 'warn',
  cacheDir: '../node_modules/.cache/console',
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2024',
    // These know light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: 'manifest.json',
    // The policy allows no `data:`.
    assetsInlineLimit: 0,
    // The script that asks for modules ahead would be inline.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_000,
  },
})
