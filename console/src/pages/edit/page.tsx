// Changing a record: checked by the service while one types, saved only over the state that was read.
import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { type Client, ConflictProblem, Problem, ValidationProblem } from '#client'
import { Loading } from '../../parts/loading.tsx'
import { notify } from '../../parts/notices.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { parseExact } from '../../service/exact-json.ts'
import { type FieldInfo, useDocument } from '../../service/metadata.ts'
import { recordKeyParts } from '../../service/record-key.ts'
import { recordPath } from '../../service/records.ts'
import { useCompany, useService } from '../../service/session.ts'
import { changedPaths, conflictsOf, type Draft, draftOf, merged, patchOf } from './changes.ts'
import { Conflicts } from './conflicts.tsx'
import classes from './edit.module.css'
import { FieldInput } from './field-input.tsx'

const PAUSE_MS = 400

export function EditPage() {
  const { document = '', key = '' } = useParams({ strict: false }) as { document?: string; key?: string }
  return (
    <Suspense fallback={<Loading />}>
      <Loaded name={document} keyText={key} />
    </Suspense>
  )
}

interface Loaded {
  readonly draft: Draft
  readonly tag: string
}

async function load(service: Client, path: string, fields: readonly FieldInfo[]): Promise<Loaded> {
  const answer = await service.request({ path })
  const record = parseExact<unknown>(await answer.text())
  return { draft: draftOf(record, fields), tag: answer.headers.get('etag') ?? '' }
}

function Loaded({ name, keyText }: { readonly name: string; readonly keyText: string }) {
  const { id: company } = useCompany()
  const service = useService()
  const document = useDocument(name)
  const fields = document.fields.filter(
    ({ path, isKey, isOnRequest }) => !isKey && !isOnRequest && path !== 'companyId' && !path.startsWith('lastUpdated'),
  )
  const path = recordPath(name, recordKeyParts(keyText))
  const { data, error } = useQuery({
    queryKey: [company, 'edited', path],
    queryFn: () => load(service, path, fields),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={12} />
  return <Form name={name} keyText={keyText} path={path} fields={fields} loaded={data} />
}

interface FormProps {
  readonly name: string
  readonly keyText: string
  readonly path: string
  readonly fields: readonly FieldInfo[]
  readonly loaded: Loaded
}

function Form({ name, keyText, path, fields, loaded }: FormProps) {
  const { id: company } = useCompany()
  const service = useService()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [base, setBase] = useState(loaded)
  const [mine, setMine] = useState(loaded.draft)
  const [theirs, setTheirs] = useState<Loaded>()
  const changed = changedPaths(base.draft, mine)
  const patch = patchOf(base.draft, mine, fields)
  const found = useFindings(service, path, patch)
  const isSaved = useRef(false)
  useBlocker({
    shouldBlockFn: () => !isSaved.current && changed.length > 0 && !confirm('Leave without saving your changes?'),
    enableBeforeUnload: () => !isSaved.current && changed.length > 0,
  })
  const leave = () =>
    void navigate({ to: '/$company/record/$document/$key', params: { company, document: name, key: keyText } })
  const save = useMutation({
    mutationFn: () => service.request({ method: 'PATCH', path, body: patch, ifMatch: base.tag }),
    onSuccess: async () => {
      isSaved.current = true
      notify('Saved.')
      await queries.invalidateQueries({ queryKey: [company] })
      leave()
    },
    onError: async (error) => {
      if (error instanceof ConflictProblem) setTheirs(await load(service, path, fields))
    },
  })
  const conflicts = theirs ? conflictsOf(base.draft, mine, theirs.draft) : []
  const settle = (choices: Readonly<Record<string, 'mine' | 'theirs'>>) => {
    if (!theirs) return
    setMine(merged(base.draft, mine, theirs.draft, choices))
    setBase(theirs)
    setTheirs(undefined)
    save.reset()
  }
  const submit = () => {
    if (changed.length > 0) save.mutate()
  }
  useSaveKey(submit)
  const findings = save.error instanceof ValidationProblem ? findingsOf(save.error) : found
  const groups = Map.groupBy(fields, ({ names }) => names.slice(0, -1).join(' / '))
  return (
    <PageFrame
      title={`Edit ${recordKeyParts(keyText).join(' / ')}`}
      description="The service checks what you type. Nothing is changed before you save."
      actions={
        <>
          <Button size="xs" variant="default" onClick={leave}>
            Cancel
          </Button>
          <Button size="xs" disabled={changed.length === 0} loading={save.isPending} onClick={submit}>
            Save{changed.length > 0 ? ` ${changed.length} ${changed.length === 1 ? 'change' : 'changes'}` : ''}
          </Button>
        </>
      }
    >
      {theirs && conflicts.length > 0 && <Conflicts conflicts={conflicts} onChosen={settle} />}
      {theirs && conflicts.length === 0 && (
        <section className={classes.conflicts} role="alert">
          Somebody else has changed other members of this record. Yours do not conflict.
          <Button size="xs" onClick={() => settle({})}>
            Go on with both
          </Button>
        </section>
      )}
      {save.error && !(save.error instanceof ConflictProblem) && <ProblemNote error={save.error} />}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {[...groups].map(([group, members]) => (
          <fieldset key={group} className={classes.group}>
            <legend>{group === '' ? 'Fields' : group}</legend>
            <div className={classes.fields}>
              {members.map((field) => (
                <FieldInput
                  key={field.path}
                  field={field}
                  value={mine[field.path] ?? ''}
                  error={findings.get(field.path)}
                  onChange={(text) => setMine((before) => ({ ...before, [field.path]: text }))}
                />
              ))}
            </div>
          </fieldset>
        ))}
        <input type="submit" hidden />
      </form>
    </PageFrame>
  )
}

type Findings = ReadonlyMap<string, string>

const findingsOf = (problem: ValidationProblem): Findings =>
  new Map(
    [...problem.byField()].map(([path, all]) => [path.replace(/^\//, ''), all.map(({ message }) => message).join(' ')]),
  )

/** What the service would say of the changes now: the latest answer counts. */
function useFindings(service: Client, path: string, patch: string): Findings {
  const [asked] = useDebouncedValue(patch, PAUSE_MS)
  const { data } = useQuery({
    queryKey: ['validated', path, asked],
    enabled: asked !== '[]',
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<Findings> => {
      try {
        await service.request({
          method: 'PATCH',
          path,
          body: asked,
          validateOnly: true,
          signal,
        })
        return new Map()
      } catch (error) {
        if (error instanceof ValidationProblem) return findingsOf(error)
        if (error instanceof Problem) return new Map()
        throw error
      }
    },
  })
  return asked === '[]' ? new Map() : (data ?? new Map())
}

function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
