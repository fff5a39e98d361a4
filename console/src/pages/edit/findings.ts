// What the service would say of a form now: it is asked while one types, and nothing is kept.
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Client, Problem, ValidationProblem } from '#client'
import { parseExact } from '../../service/exact-json.ts'
import { writingOf } from '../../service/written-values.ts'
import { t } from '../../words/words.ts'
import { type Draft, type FormShape, itemsOf } from './changes.ts'

/** What is wrong, by the path of the field. */
export type Findings = ReadonlyMap<string, string>

const PAUSE_MS = 400
const NOTHING: Findings = new Map()
const NOTHING_KNOWN: CheckedForm = { findings: NOTHING, record: undefined }

const findingsOf = (problem: ValidationProblem): Findings =>
  new Map(
    [...problem.byField()].map(([path, all]) => [path.replace(/^\//, ''), all.map(({ message }) => message).join(' ')]),
  )

/** A value of another type has a problem without its field; of the values of lines there are several in one. */
const OF_TYPE = /PatchOperation index \d+: The value '.*?' of path '\/?([^']+)' cannot be converted to ([^;]+)/gs
function neededText(type: string): string {
  if (type === 'number')
    return t('This must be a number, such as {{example}}.', { example: `1234${writingOf().decimal}5` })
  if (type === 'integer') return t('This must be a whole number.')
  if (type === 'date-time') return t('This must be a date, such as {{example}}.', { example: '2026-01-31' })
  return t('This must be of the type {{type}}.', { type })
}

/** What an error says of fields. */
export function findingsIn(error: unknown): Findings | undefined {
  if (!(error instanceof ValidationProblem)) return undefined
  const ofType = neededIn(error.message)
  return ofType.size === 0 ? findingsOf(error) : ofType
}

/** What fields need, where the message tells that values are of another type. */
export const neededIn = (message: string): Findings =>
  new Map([...message.matchAll(OF_TYPE)].map(([, path = '', type = '']) => [path, neededText(type)]))

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
}

export interface CheckedForm {
  readonly findings: Findings
  /** The record as it would be, with what is computed; undefined while it is asked, and where something is wrong. */
  readonly record: unknown
}

/** The latest answer counts. */
export function useCheckedForm(service: Client, { method, path, body }: Checked, isChanged: boolean): CheckedForm {
  const [asked] = useDebouncedValue(body, PAUSE_MS)
  const { data = NOTHING_KNOWN } = useQuery({
    queryKey: ['validated', method, path, asked],
    // Not the form as it was before the first letter: what is needed and filled in by then would be told for a moment.
    enabled: isChanged && asked === body,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<CheckedForm> => {
      try {
        const answer = await service.request({ method, path, body: asked, validateOnly: true, signal })
        return { findings: NOTHING, record: parseExact<unknown>(await answer.text()) }
      } catch (error) {
        const findings = findingsIn(error)
        if (findings || error instanceof Problem) return { findings: findings ?? NOTHING, record: undefined }
        throw error
      }
    },
  })
  if (!isChanged) return NOTHING_KNOWN
  return asked === body ? data : { ...data, record: undefined }
}
