import { Title } from '@mantine/core'
import { FieldTitle } from '../../parts/field-title.tsx'
import { FieldValue } from '../../parts/field-value.tsx'
import { type DocumentInfo, type FieldInfo, groupTitle } from '../../service/metadata.ts'
import { valueIn } from '../../service/question.ts'
import classes from './record.module.css'

interface RecordFieldsProps {
  readonly document: DocumentInfo
  readonly row: Readonly<Record<string, unknown>>
}

/** The fields in the groups that the document has. */
export function RecordFields({ document, row }: RecordFieldsProps) {
  const groups = Map.groupBy(document.fields, ({ names }) => names.slice(0, -1).join('/'))
  return (
    <>
      {[...groups].map(([group, fields]) => (
        <section key={group} className={classes.group} aria-label={groupTitle(fields) || 'Fields'}>
          {group !== '' && (
            <Title order={2}>
              <FieldTitle title={groupTitle(fields)} path={group} />
            </Title>
          )}
          <dl className={classes.fields}>
            {fields.map((field) => (
              <Field key={field.path} field={field} row={row} />
            ))}
          </dl>
        </section>
      ))}
    </>
  )
}

function Field({ field, row }: { readonly field: FieldInfo; readonly row: Readonly<Record<string, unknown>> }) {
  const { value, description } = valueIn(row, field)
  return (
    <>
      <dt>
        <FieldTitle title={field.titles.at(-1) ?? ''} path={field.path} description={field.schema.description} />
      </dt>
      <dd>
        <FieldValue value={value} kind={field.kind} description={description} />
      </dd>
    </>
  )
}
