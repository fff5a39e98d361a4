// What the service would say of a form now: it is asked while one types, and nothing is kept.
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Client, Problem, ValidationProblem } from '#client'
import { parseExact } from '../../service/exact-json.ts'
import type { FieldInfo } from '../../service/metadata.ts'
import { writingOf } from '../../service/written-values.ts'
import { type Draft, type FormShape, itemsOf } from './changes.ts'
import { faultOf, plainText } from './lines/cell-text.ts'

/** What is wrong, by the path of the field. */
export type Findings = ReadonlyMap<string, string>

const PAUSE_MS = 400
const NOTHING: Findings = new Map()
const NOTHING_KNOWN: CheckedForm = { findings: NOTHING, record: undefined }

const findingsOf = (problem: ValidationProblem): Findings =>
  new Map(
    [...problem.byField()].map(([path, all]) => [path.replace(/^\//, ''), all.map(({ message }) => message).join(' ')]),
  )

/** What an error says of fields. */
export const findingsIn = (error: unknown): Findings | undefined =>
  error instanceof ValidationProblem ? findingsOf(error) : undefined

/** What was typed and is no value of its field: the service refuses all of it then, and does not say where. */
export function typedFindings({ fields, lists }: FormShape, draft: Draft): Findings {
  const writing = writingOf()
  // Some resources answer moments with their zone.
  const faultIn = (field: FieldInfo, typed = '') =>
    faultOf(field, plainText(field, typed.replace(/Z$/, ''), writing), writing)
  const found = (path: string, members: readonly FieldInfo[], texts: Draft) =>
    members.flatMap((field): [string, string][] => {
      const fault = faultIn(field, texts[field.path])
      return fault === undefined ? [] : [[path + field.path, fault]]
    })
  const ofItems = lists
    .filter(({ lines }) => !lines)
    .flatMap((list) =>
      itemsOf(draft[list.path]).flatMap(({ place, texts }, at) =>
        found(`${list.path}/${place ?? at}/`, list.fields, texts),
      ),
    )
  return new Map([...found('', fields, draft), ...ofItems])
}

/** Without those of what nobody has filled in yet in a new line or another new item. */
export function findingsOfFilled(findings: Findings, mine: Draft, { lists }: FormShape): Findings {
  const items = new Map(lists.map(({ path }) => [path, itemsOf(mine[path])]))
  return new Map(
    [...findings].filter(([path]) => {
      const [, list = '', place = '', within = ''] = /^(.+?)\/(\d+)\/(.+)$/.exec(path) ?? []
      const item = items.get(list)?.[Number(place)]
      return !item || item.place !== undefined || (item.texts[within] ?? '') !== ''
    }),
  )
}

interface Checked {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: string
  /** What the body is made of. */
  readonly draft: Draft
}

export interface CheckedForm {
  readonly findings: Findings
  /** The record as it would be, with what is computed; undefined while it is asked, and where something is wrong. */
  readonly record: unknown
}

/** The latest answer counts. What was found of a value is not told of another one that has taken its place since. */
export function useCheckedForm(
  service: Client,
  { method, path, body, draft }: Checked,
  isChanged: boolean,
): CheckedForm {
  const [asked] = useDebouncedValue(body, PAUSE_MS)
  const { data = { ...NOTHING_KNOWN, of: draft } } = useQuery({
    queryKey: ['validated', method, path, asked],
    // Not the form as it was before the first letter: what is needed and filled in by then would be told for a moment.
    enabled: isChanged && asked === body,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<CheckedForm & { readonly of: Draft }> => {
      try {
        const answer = await service.request({ method, path, body: asked, validateOnly: true, signal })
        return { findings: NOTHING, record: parseExact<unknown>(await answer.text()), of: draft }
      } catch (error) {
        const findings = findingsIn(error)
        if (findings || error instanceof Problem) return { findings: findings ?? NOTHING, record: undefined, of: draft }
        throw error
      }
    },
  })
  if (!isChanged) return NOTHING_KNOWN
  if (asked === body) return data
  const findings = new Map([...data.findings].filter(([at]) => data.of[at] === draft[at]))
  return { findings, record: undefined }
}
