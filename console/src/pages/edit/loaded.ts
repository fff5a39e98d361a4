// A record as it is changed: its texts, and the tag of the state that it is saved over.
import type { Client } from '#client'
import { parseExact } from '../../service/exact-json.ts'
import { type Draft, draftOf, type FormShape } from './changes.ts'

export interface Loaded {
  readonly draft: Draft
  readonly tag: string
}

/** `path`: of the record. */
export async function load(service: Client, path: string, shape: FormShape): Promise<Loaded> {
  const answer = await service.request({ path })
  const record = parseExact<unknown>(await answer.text())
  return { draft: draftOf(record, shape), tag: answer.headers.get('etag') ?? '' }
}
