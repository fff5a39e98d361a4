import { useRef } from 'react'
import { type CodesOf, sourceOf, useCodeNames } from '../../../service/legal-values.ts'
import type { FieldInfo } from '../../../service/metadata.ts'
import type { ListItem } from '../changes.ts'

/** What the codes of the lines that are seen mean. Each is asked for once. */
export function useNames(
  columns: readonly FieldInfo[],
  seen: readonly ListItem[],
): (path: string, code: string) => string {
  const known = useRef(new Map<string, string>())
  const coded = columns.flatMap((field) => {
    const source = sourceOf(field)
    return source ? [{ path: field.path, source }] : []
  })
  const wanted = coded.map(({ path, source }): CodesOf => {
    const codes = seen.map(({ texts }) => texts[path] ?? '').filter((code) => code !== '')
    return { source, codes: [...new Set(codes)].filter((code) => !known.current.has(`${path} ${code}`)).toSorted() }
  })
  const answers = useCodeNames(wanted)
  for (const [at, { path }] of coded.entries()) {
    for (const [code, name] of answers[at] ?? []) known.current.set(`${path} ${code}`, name)
  }
  return (path, code) => known.current.get(`${path} ${code}`) ?? ''
}
