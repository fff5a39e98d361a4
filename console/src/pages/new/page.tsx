// A new record: a form from the document's schema, checked by the service while one types.
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, Suspense, useState } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { notify } from '../../parts/notices.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { focusFirstField } from '../../parts/sheet.tsx'
import { saveKey, useSaveKey } from '../../parts/use-save-key.ts'
import { parseExact } from '../../service/exact-json.ts'
import { type DocumentInfo, useDocument } from '../../service/metadata.ts'
import { valueIn } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { permissionFor, recordPath } from '../../service/records.ts'
import { useCompany, useMay, useService } from '../../service/session.ts'
import { useNewRecordText } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import { changedPaths, type Draft, draftOf, type FormShape, recordOf, textOfItems } from '../edit/changes.ts'
import { type Findings, findingsIn, findingsOfFilled, typedFindings, useCheckedForm } from '../edit/findings.ts'
import { FormFields } from '../edit/form-fields.tsx'
import { shapeOf } from '../edit/form-shape.ts'
import { UnsavedOffer, useUnsaved } from '../edit/unsaved.tsx'

export function NewPage() {
  const { document = '' } = useParams({ strict: false }) as { document?: string }
  return (
    <Suspense fallback={<Loading />}>
      <Form key={document} name={document} />
    </Suspense>
  )
}

function Form({ name }: { readonly name: string }) {
  const { id: company } = useCompany()
  const service = useService()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const document = useDocument(name)
  const newText = useNewRecordText()
  const shape = shapeOf(document, 'new')
  const empty = emptyDraft(shape)
  const [draft, setDraft] = useState(empty)
  const body = recordOf(draft, shape)
  const isChanged = body !== recordOf(empty, shape)
  const path = recordPath(name, [])
  const { findings: found, record } = useCheckedForm(service, { method: 'POST', path, body, draft }, isChanged)
  const unsaved = useUnsaved(company + path, isChanged ? draft : undefined)
  const may = useMay()
  const mayRemove = may(permissionFor(name, 'delete') ?? '')
  /** As long as nobody has changed it. */
  const remove = async (key: readonly string[], tag: string) => {
    await service.request({ method: 'DELETE', path: recordPath(name, key), ifMatch: tag })
    await queries.invalidateQueries({ queryKey: [company] })
    notify(t('The new record is taken back.'))
    void navigate({ to: '/$company/grid/$document', params: { company, document: name } })
  }
  const save = useMutation({
    mutationFn: async () => {
      const answer = await service.request({ method: 'POST', path, body })
      const record = parseExact<Record<string, unknown>>(await answer.text())
      return { key: keyOf(document, record), tag: answer.headers.get('etag') ?? '' }
    },
    onSuccess: async ({ key, tag }) => {
      unsaved.finish()
      notify(t('Saved.'), mayRemove && tag !== '' ? { label: t('Undo'), run: () => remove(key, tag) } : undefined)
      await queries.invalidateQueries({ queryKey: [company] })
      void navigate({
        to: '/$company/record/$document/$key',
        params: { company, document: name, key: recordKeyText(key) },
      })
    },
  })
  const change = (next: (before: Draft) => Draft) => {
    save.reset()
    setDraft(next)
  }
  const takeUnsaved = () => {
    if (unsaved.offered) setDraft(unsaved.offered)
    unsaved.settle()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  useSaveKey(() => {
    if (isChanged && !save.isPending) save.mutate()
  })
  const touched = new Set(changedPaths(empty, draft))
  const told = findingsIn(save.error) ?? findingsAt(findingsOfFilled(found, draft, shape), touched)
  const findings: Findings = new Map([...told, ...typedFindings(shape, draft)])
  return (
    <PageFrame
      title={newText(name)}
      description={t(
        'What you type is checked when you leave a field. The record gets its number where it has a series.',
      )}
      actions={
        <Button
          type="submit"
          form="new-record"
          variant={found.size > 0 || findings.size > 0 ? 'default' : 'filled'}
          disabled={!isChanged}
          loading={save.isPending}
          {...saveKey()}
        >
          {t('Save')}
        </Button>
      }
    >
      {unsaved.offered && <UnsavedOffer onTake={takeUnsaved} onForget={unsaved.settle} />}
      {save.error && <ProblemNote error={save.error} document={document} />}
      <form id="new-record" noValidate ref={focusFirstField} onSubmit={submit}>
        <FormFields
          document={name}
          shape={shape}
          draft={draft}
          answered={isChanged && record !== undefined ? draftOf(record, shape) : undefined}
          findings={findings}
          onChange={change}
        />
      </form>
    </PageFrame>
  )
}

/** Lists begin with the items that a new record needs. */
const emptyDraft = ({ lists }: FormShape): Draft =>
  Object.fromEntries(
    lists
      .filter(({ firstItems }) => firstItems.length > 0)
      .map(({ path, firstItems }) => [path, textOfItems(firstItems.map((texts) => ({ texts })))]),
  )

/** What nobody has filled in yet is no mistake before it is saved. */
const findingsAt = (found: Findings, touched: ReadonlySet<string>): Findings =>
  new Map([...found].filter(([path]) => touched.has(path) || touched.has(path.split('/')[0] ?? '')))

/** As the service has answered it. */
function keyOf({ keys, fields }: DocumentInfo, record: Readonly<Record<string, unknown>>): string[] {
  return keys
    .filter((path) => path !== 'companyId')
    .map((path) => {
      const field = fields.find((one) => one.path === path)
      return field ? String(valueIn(record, field).value ?? '') : ''
    })
}
