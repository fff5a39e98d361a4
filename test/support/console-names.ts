// The names of properties, and which of them people see on a page: there should be none.
import type { Page } from 'playwright-core'
import { DEMO_AUTHORIZATION } from './demo.ts'

/** All documents are asked for theirs, as far as no sentence has such a word: with a capital within. */
export async function propertyNames(address: string): Promise<readonly string[]> {
  const asked = async (path: string): Promise<unknown> => {
    const headers = { ...DEMO_AUTHORIZATION, accept: 'application/schema+json' }
    return (await fetch(address + path, { headers })).json()
  }
  const documents = (await asked('/v1/objects?companyId=EN')) as { name: string }[]
  const schemas = documents.map(({ name }) =>
    asked(`/v1/objects/${name}?companyId=EN${name.startsWith('general') ? '&posted=true' : ''}`),
  )
  const all = (await Promise.all(schemas)).flatMap(namesIn)
  return [...new Set(all)].filter((name) => /^[a-z]+[A-Z]\w*$/.test(name))
}

/** All names of members in a schema. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, inner]) => [
    ...(key === 'properties' ? Object.keys(inner as object) : []),
    ...namesIn(inner),
  ])
}

export async function namesShown(page: Page, names: readonly string[]): Promise<string[]> {
  const words = new Set((await page.evaluate<string>('document.body.innerText')).match(/\w+/g))
  return names.filter((name) => words.has(name))
}
