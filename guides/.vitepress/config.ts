// The guides as a site that the service serves at `/docs`, without any other host: search, fonts and pictures included.
import { defineConfig } from 'vitepress'
import { sidebarOf } from './sidebar.ts'

export default defineConfig({
  title: 'Tabularium',
  description: 'An enterprise records service',
  // The service puts the path that it is mounted under in the place of this one.
  base: '/BASE-PATH/docs/',
  outDir: '../dist/guides',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  // The libraries of the theme are one file; pictures are files, whose names have a hash.
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 2_000, assetsInlineLimit: 0 } },
  // One small script for all pages instead of a text in each, whose hash every policy would have to name.
  metaChunk: true,
  // A page would load all that it links to, at the cost of the limit of its address.
  router: { prefetchLinks: false },
  themeConfig: {
    sidebar: sidebarOf(import.meta.dirname),
    outline: [2, 3],
    notFound: { quote: 'There is no such page. The search on top knows all that there are.', linkText: 'First page' },
    search: { provider: 'local' },
    nav: [{ text: 'Every endpoint', link: '/api' }],
  },
  // Parts that pages include.
  srcExclude: ['reference/tables/**'],
})
