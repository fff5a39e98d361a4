// The default theme without its fonts: those of the system are there already. And the page of every endpoint.
import type { Theme } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import ApiViewer from './api-viewer.ts'

export default {
  extends: theme,
  enhanceApp: ({ app }) => void app.component('ApiViewer', ApiViewer),
} satisfies Theme
