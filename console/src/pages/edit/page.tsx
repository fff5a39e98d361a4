// Changing a record: checked by the service while one types, saved only over the state that was read.
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { ConflictProblem } from '#client'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { focusFirstField } from '../../parts/sheet.tsx'
import { saveKey, useSaveKey } from '../../parts/use-save-key.ts'
import { useUndo } from '../../parts/use-undo.ts'
import { nameIn } from '../../service/legal-values.ts'
import { type DocumentInfo, useDocument } from '../../service/metadata.ts'
import { recordKeyParts } from '../../service/record-key.ts'
import { recordPath } from '../../service/records.ts'
import { useCompany, useService } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import {
  type Choices,
  changedPaths,
  conflictsOf,
  type Draft,
  draftOf,
  type FormShape,
  merged,
  patchOf,
} from './changes.ts'
import { Conflicts } from './conflicts.tsx'
import classes from './edit.module.css'
import { type Findings, findingsIn, findingsOfFilled, typedFindings, useCheckedForm } from './findings.ts'
import { FormFields } from './form-fields.tsx'
import { shapeOf } from './form-shape.ts'
import { type Loaded, load } from './loaded.ts'
import { UnsavedOffer, useUnsaved } from './unsaved.tsx'

export function EditPage() {
  const { document = '', key = '' } = useParams({ strict: false }) as { document?: string; key?: string }
  return (
    <Suspense fallback={<Loading />}>
      <LoadedForm name={document} keyText={key} />
    </Suspense>
  )
}

function LoadedForm({ name, keyText }: { readonly name: string; readonly keyText: string }) {
  const { id: company } = useCompany()
  const service = useService()
  const document = useDocument(name)
  const shape = shapeOf(document, 'changed')
  const path = recordPath(name, recordKeyParts(keyText))
  const { data, error } = useQuery({
    queryKey: [company, 'edited', path],
    queryFn: () => load(service, path, shape),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={12} />
  return <Form document={document} keyText={keyText} path={path} shape={shape} loaded={data} />
}

interface FormProps {
  readonly document: DocumentInfo
  readonly keyText: string
  readonly path: string
  readonly shape: FormShape
  readonly loaded: Loaded
}

function Form({ document, keyText, path, shape, loaded }: FormProps) {
  const { id: company } = useCompany()
  const service = useService()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { saved } = useUndo(document, recordKeyParts(keyText))
  const [base, setBase] = useState(loaded)
  const [mine, setMine] = useState(loaded.draft)
  const [theirs, setTheirs] = useState<Loaded>()
  const changed = changedPaths(base.draft, mine)
  const patch = patchOf(base.draft, mine, shape)
  const { findings: found, record } = useCheckedForm(
    service,
    { method: 'PATCH', path, body: patch, draft: mine },
    changed.length > 0,
  )
  const unsaved = useUnsaved(company + path, changed.length > 0 ? { base, mine } : undefined)
  const leave = () =>
    void navigate({ to: '/$company/record/$document/$key', params: { company, document: document.name, key: keyText } })
  const save = useMutation({
    mutationFn: () => service.request({ method: 'PATCH', path, body: patch, ifMatch: base.tag }),
    onSuccess: async ({ headers }) => {
      unsaved.finish()
      const tag = headers.get('etag')
      saved(tag === base.tag ? null : tag)
      await queries.invalidateQueries({ queryKey: [company] })
      leave()
    },
    onError: async (error) => {
      if (!(error instanceof ConflictProblem)) return
      const now = await load(service, path, shape)
      // Otherwise nobody has changed it: its state does not allow the change.
      if (now.tag !== base.tag) setTheirs(now)
    },
  })
  const conflicts = theirs ? conflictsOf(base.draft, mine, theirs.draft, shape.lists) : []
  const settle = (choices: Choices) => {
    if (!theirs) return
    setMine(merged(base.draft, mine, theirs.draft, choices, shape.lists))
    setBase(theirs)
    setTheirs(undefined)
    save.reset()
  }
  const takeUnsaved = () => {
    if (!unsaved.offered) return
    setBase(unsaved.offered.base)
    setMine(unsaved.offered.mine)
    unsaved.settle()
  }
  const submit = () => {
    if (changed.length > 0) save.mutate()
  }
  useSaveKey(submit)
  const change = (next: (before: Draft) => Draft) => {
    // What was refused is not what is there now.
    save.reset()
    setMine(next)
  }
  const told = findingsIn(save.error) ?? findingsOfFilled(found, mine, shape)
  const findings: Findings = new Map([...told, ...typedFindings(shape, mine)])
  const answered = changed.length === 0 ? mine : record === undefined ? undefined : draftOf(record, shape)
  return (
    <PageFrame
      title={t('Edit {{record}}', { record: nameIn(base.draft) || recordKeyParts(keyText).join(' / ') })}
      description={t('The service checks what you type. Nothing is changed before you save.')}
      actions={
        <>
          <Button variant="default" onClick={leave}>
            {t('Cancel')}
          </Button>
          <Button
            variant={findings.size > 0 ? 'default' : 'filled'}
            disabled={changed.length === 0}
            loading={save.isPending}
            onClick={submit}
            {...saveKey()}
          >
            {changed.length === 0 ? t('Save') : t('Save {{count}} changes', { count: changed.length })}
          </Button>
        </>
      }
    >
      {unsaved.offered && <UnsavedOffer onTake={takeUnsaved} onForget={unsaved.settle} />}
      {theirs && conflicts.length > 0 && <Conflicts conflicts={conflicts} document={document} onChosen={settle} />}
      {theirs && conflicts.length === 0 && (
        <section className={classes.conflicts} role="alert">
          {t('Somebody else has changed other fields of this record. Yours do not conflict.')}
          <Button onClick={() => settle({})}>{t('Go on with both')}</Button>
        </section>
      )}
      {save.error && !theirs && <ProblemNote error={save.error} document={document} />}
      <form
        ref={location.hash === '' ? focusFirstField : undefined}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FormFields
          document={document.name}
          shape={shape}
          draft={mine}
          answered={answered}
          findings={findings}
          onChange={change}
        />
        <input type="submit" hidden />
      </form>
    </PageFrame>
  )
}
