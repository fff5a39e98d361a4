// A cell that is changed where it stands: the field of the form over it. It is saved over the state that was read.
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, type KeyboardEvent, type RefCallback, useState } from 'react'
import { ConflictProblem } from '#client'
import { closedByPage } from '../../parts/closed-by-page.ts'
import { FieldValue } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { useSaveKey } from '../../parts/use-save-key.ts'
import { useUndo } from '../../parts/use-undo.ts'
import { sourceOf, useCodeNames } from '../../service/legal-values.ts'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { valueIn } from '../../service/question.ts'
import { recordPath } from '../../service/records.ts'
import { useService } from '../../service/session.ts'
import { sentence } from '../../words/sentence.tsx'
import { t } from '../../words/words.ts'
import { patchOf } from '../edit/changes.ts'
import { FieldInput } from '../edit/field-input.tsx'
import { findingsIn, typedFindings } from '../edit/findings.ts'
import { shapeOf } from '../edit/form-shape.ts'
import { type Loaded, load } from '../edit/loaded.ts'
import { transitionsFrom } from '../record/transitions.ts'
import classes from './cell-edit.module.css'
import { keyFields, keyOf, type Row } from './rows.ts'

export interface EditedCell {
  readonly row: Row
  readonly field: FieldInfo
  /** Where the cell stands in the window. */
  readonly box: DOMRect
}

interface CellEditProps extends EditedCell {
  readonly company: string
  readonly document: DocumentInfo
  readonly onClose: () => void
}

/** A dialog of the browser holds the focus, and returns it to the cell. */
const shownAsDialog: RefCallback<HTMLDialogElement> = (dialog) => {
  dialog?.showModal()
  return () => dialog?.close()
}

const WIDTH_PX = 288
const HEIGHT_PX = 176
const EDGE_PX = 8

/** Over the cell, as far as the window has room. */
const placeOf = ({ left, top, width }: DOMRect): CSSProperties => ({
  left: Math.max(EDGE_PX, Math.min(left, innerWidth - Math.max(width, WIDTH_PX) - EDGE_PX)),
  top: Math.max(EDGE_PX, Math.min(top, innerHeight - HEIGHT_PX)),
  width: Math.max(width, WIDTH_PX),
})

export default function CellEdit(props: CellEditProps) {
  const { company, document, row, field, box, onClose } = props
  const service = useService()
  const key = keyOf(keyFields(document), row)
  const path = recordPath(document.name, key)
  const { data, error } = useQuery({
    queryKey: [company, 'edited', path],
    queryFn: () => load(service, path, shapeOf(document, 'changed')),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <dialog
      ref={shownAsDialog}
      className={classes.box}
      style={placeOf(box)}
      aria-label={t('Change {{field}} of {{key}}', { field: field.titles.at(-1) ?? '', key: key.join(' / ') })}
      {...closedByPage(onClose)}
    >
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading lines={2} />}
      {data && <CellForm {...props} recordKey={key} path={path} loaded={data} />}
    </dialog>
  )
}

interface CellFormProps extends CellEditProps {
  readonly recordKey: readonly string[]
  readonly path: string
  readonly loaded: Loaded
}

function CellForm({ company, document, row, field, onClose, recordKey, path, loaded }: CellFormProps) {
  const service = useService()
  const queries = useQueryClient()
  const { saved } = useUndo(document, recordKey)
  const shape = shapeOf(document, 'changed')
  const [base, setBase] = useState(loaded)
  const before = base.draft[field.path] ?? ''
  const [text, setText] = useState(before)
  const save = useMutation({
    mutationFn: () => {
      const body = patchOf(base.draft, { ...base.draft, [field.path]: text }, shape)
      return service.request({ method: 'PATCH', path, body, ifMatch: base.tag })
    },
    onSuccess: async ({ headers }) => {
      const tag = headers.get('etag')
      saved(tag === base.tag ? null : tag)
      await queries.invalidateQueries({ queryKey: [company] })
      onClose()
    },
    onError: async (error) => {
      // Who saves again has seen what the others have made of it.
      if (error instanceof ConflictProblem) setBase(await load(service, path, shape))
    },
  })
  const isMoved = save.error instanceof ConflictProblem && base.tag !== loaded.tag
  const typed = typedFindings({ fields: [field], computed: [], lists: [] }, { [field.path]: text }).get(field.path)
  const finding = typed ?? findingsIn(save.error)?.get(field.path)
  const submit = () => {
    if (text === before) onClose()
    else if (typed === undefined && !save.isPending) save.mutate()
  }
  useSaveKey(submit)
  const onKeyDown = (event: KeyboardEvent) => {
    // In a long text Shift+Enter makes a line.
    if (event.key !== 'Enter' || event.shiftKey || !(event.target instanceof HTMLTextAreaElement)) return
    event.preventDefault()
    submit()
  }
  const choices = useStates(document, field, row)
  return (
    <form
      ref={selectText}
      className={classes.form}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <FieldInput
        field={field}
        value={text}
        error={finding}
        {...(choices ? { choices } : {})}
        onChange={(next) => {
          // What was refused is not what is there now.
          save.reset()
          setText(next)
        }}
      />
      {isMoved && (
        <Text size="sm" role="alert">
          {sentence(
            'Somebody else has changed this record meanwhile; here it says {{value}}. Save again to replace it.',
            {
              value: <FieldValue value={before} kind={field.kind} />,
            },
          )}
        </Text>
      )}
      {save.error && !isMoved && finding === undefined && <ProblemNote error={save.error} document={document} />}
      <Group gap="xs" justify="flex-end">
        <Button variant="default" size="compact-xs" onClick={onClose}>
          {t('Leave it')}
        </Button>
        <Button type="submit" size="compact-xs" loading={save.isPending} disabled={text === before}>
          {t('Save')}
        </Button>
      </Group>
      {/* Enter submits also while there is nothing to save. */}
      <input type="submit" hidden />
    </form>
  )
}

/** What a state may become, by the names of the states; undefined where no transitions are declared. */
function useStates(document: DocumentInfo, field: FieldInfo, row: Row) {
  const isBound = field.states?.initial !== undefined
  const states = isBound
    ? [...new Set([String(valueIn(row, field).value), ...transitionsFrom(document, row).map(({ to }) => to)])]
    : []
  const source = sourceOf(field)
  const [names] = useCodeNames(source && isBound ? [{ source, codes: states }] : [])
  return isBound ? states.map((value) => ({ value, label: names?.get(value) ?? value })) : undefined
}

/** Who begins to type replaces what is there. */
function selectText(form: HTMLElement | null): void {
  const input = form?.querySelector<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    'input, textarea, select',
  )
  input?.focus()
  if (input && 'select' in input) input.select()
}
