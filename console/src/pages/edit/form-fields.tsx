import { FieldTitle } from '../../parts/field-title.tsx'
import { groupTitle } from '../../service/metadata.ts'
import type { Draft, FormShape } from './changes.ts'
import classes from './edit.module.css'
import { FieldInput } from './field-input.tsx'
import type { Findings } from './findings.ts'
import { ListInputs } from './list-inputs.tsx'

interface FormFieldsProps {
  readonly shape: FormShape
  readonly draft: Draft
  readonly findings: Findings
  readonly onChange: (change: (before: Draft) => Draft) => void
}

/** The fields in the groups that the document has, and its lists. */
export function FormFields({ shape, draft, findings, onChange }: FormFieldsProps) {
  const groups = Map.groupBy(shape.fields, ({ names }) => names.slice(0, -1).join('/'))
  const set = (path: string, text: string) => onChange((before) => ({ ...before, [path]: text }))
  return (
    <>
      {[...groups].map(([group, members]) => (
        <fieldset key={group} className={classes.group}>
          <legend>
            <FieldTitle title={groupTitle(members) || 'Fields'} path={group} />
          </legend>
          <div className={classes.fields}>
            {members.map((field) => (
              <FieldInput
                key={field.path}
                field={field}
                value={draft[field.path] ?? ''}
                error={findings.get(field.path)}
                onChange={(text) => set(field.path, text)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {shape.lists.map((list) => (
        <ListInputs
          key={list.path}
          list={list}
          text={draft[list.path] ?? ''}
          findings={findings}
          onChange={(text) => set(list.path, text)}
        />
      ))}
    </>
  )
}
