import { Title } from '@mantine/core'
import { FieldTitle } from '../../parts/field-title.tsx'
import { FieldValue } from '../../parts/field-value.tsx'
import { type FieldInfo, groupTitle } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import type { Draft, FormShape } from './changes.ts'
import classes from './edit.module.css'
import { FieldInput } from './field-input.tsx'
import type { Findings } from './findings.ts'
import { FormSection } from './form-section.tsx'
import { LinesGrid } from './lines/lines-grid.tsx'
import { ListInputs } from './list-inputs.tsx'

interface FormFieldsProps {
  /** The document that the record is of. */
  readonly document: string
  readonly shape: FormShape
  readonly draft: Draft
  /** As the service would answer it; undefined while it is asked. */
  readonly answered: Draft | undefined
  readonly findings: Findings
  readonly onChange: (change: (before: Draft) => Draft) => void
}

/** The fields in the groups that the document has, and its lists. */
export function FormFields({ document, shape, draft, answered, findings, onChange }: FormFieldsProps) {
  const groups = Map.groupBy(shape.fields, ({ names }) => names.slice(0, -1).join('/'))
  const set = (path: string, text: string) => onChange((before) => ({ ...before, [path]: text }))
  return (
    <>
      {[...groups].map(([group, members]) => (
        <FormSection
          key={group}
          document={document}
          path={group}
          title={groupTitle(members) || t('General')}
          isNeeded={members.some(
            ({ path, schema }) => findings.has(path) || (schema['x-erp-required'] === true && !draft[path]),
          )}
        >
          <div className={classes.fields}>
            {checksLast(members).map((field) => (
              <FieldInput
                key={field.path}
                field={field}
                value={draft[field.path] ?? ''}
                error={findings.get(field.path)}
                placeholder={answered?.[field.path]}
                onChange={(text) => set(field.path, text)}
              />
            ))}
          </div>
        </FormSection>
      ))}
      {shape.lists.map((list) => {
        const { path, lines } = list
        const given = { document, list, findings, text: draft[path] ?? '', onChange: (text: string) => set(path, text) }
        return lines ? (
          <LinesGrid key={path} {...given} lines={lines} answered={answered && (answered[path] ?? '')} />
        ) : (
          <ListInputs key={path} {...given} />
        )
      })}
      <ComputedFields fields={shape.computed} draft={draft} answered={answered} />
    </>
  )
}

/** A box between fields leaves a hole in their rows. */
const checksLast = (fields: readonly FieldInfo[]): FieldInfo[] =>
  fields.toSorted((one, other) => Number(one.kind === 'boolean') - Number(other.kind === 'boolean'))

interface ComputedFieldsProps extends Pick<FormFieldsProps, 'draft' | 'answered'> {
  readonly fields: readonly FieldInfo[]
}

/** What the service computes of the record and its lines: sums, for the most part. */
function ComputedFields({ fields, draft, answered }: ComputedFieldsProps) {
  if (fields.length === 0) return null
  return (
    <section className={classes.group} aria-label={t('Computed')}>
      <Title order={2} mb="xs">
        {t('Computed')}
      </Title>
      <dl className={answered ? classes.computed : `${classes.computed} ${classes.asked}`}>
        {fields.map((field) => (
          <div key={field.path}>
            <dt>
              <FieldTitle title={field.titles.join(' / ')} path={field.path} description={field.schema.description} />
            </dt>
            <dd>
              <FieldValue kind={field.kind} value={(answered ?? draft)[field.path]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
