// Swagger UI, which shows the description of the service and sends requests. The page of every endpoint alone loads it,
// and it asks nothing of another host.
/// <reference types="vite/client" />
import script from '@fastify/swagger-ui/static/swagger-ui-bundle.js?url'
import { useData } from 'vitepress'
import { defineComponent, h, onMounted, ref, watchEffect } from 'vue'
import './api-viewer.css'

interface Viewer {
  SwaggerUIBundle(options: Readonly<Record<string, unknown>>): void
}

export default defineComponent((_properties, { slots }) => {
  const { isDark } = useData()
  const place = ref<HTMLElement>()
  onMounted(async () => {
    watchEffect(() => document.documentElement.classList.toggle('dark-mode', isDark.value))
    await Promise.all([addStyle(), addScript()])
    ;(window as unknown as Viewer).SwaggerUIBundle({
      domNode: place.value,
      url: '/BASE-PATH/openapi.json',
      deepLinking: true,
      docExpansion: 'none',
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      showExtensions: true,
      // Its badge would come from another host.
      validatorUrl: null,
    })
  })
  return () => h('div', { class: 'api-viewer' }, [slots.default?.(), h('div', { ref: place })])
})

/** VitePress has one file of styles for all pages, so this one comes as a text. */
async function addStyle(): Promise<void> {
  const { default: style } = await import('@fastify/swagger-ui/static/swagger-ui.css?inline')
  document.head.append(Object.assign(document.createElement('style'), { textContent: style }))
}

function addScript(): Promise<unknown> {
  return new Promise((resolve, reject) =>
    document.head.append(
      Object.assign(document.createElement('script'), { src: script, onload: resolve, onerror: reject }),
    ),
  )
}
