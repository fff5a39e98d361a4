import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FieldTitle } from '../../parts/field-title.tsx'
import { FieldValue } from '../../parts/field-value.tsx'
import { useCodeNames } from '../../service/legal-values.ts'
import { type Association, type DocumentInfo, type FieldInfo, groupTitle } from '../../service/metadata.ts'
import { associatedKey, valueIn } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { useCompany } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import classes from './record.module.css'
import { Section } from './section.tsx'

interface RecordFieldsProps {
  readonly document: DocumentInfo
  /** Whose they are: the record's own, or those of the records that it refers to. */
  readonly of: 'record' | 'others'
  readonly row: Readonly<Record<string, unknown>>
}

/** The fields in the groups that the document has. */
export function RecordFields({ document, of, row }: RecordFieldsProps) {
  const there = document.fields.filter(
    (field) => (field.association === undefined) === (of === 'record') && isThere(field, row),
  )
  const groups = Map.groupBy(there, ({ names }) => names.slice(0, -1).join('/'))
  return (
    <>
      {[...groups].toSorted(byPlace).map(([group, fields]) => {
        const list = (
          <dl className={classes.fields}>
            {fields.map((field) => (
              <Field key={field.path} field={field} row={row} />
            ))}
          </dl>
        )
        if (group === '')
          return (
            <section key={group} aria-label={t('General')}>
              {list}
            </section>
          )
        const [title, association] = [groupTitle(fields), fields[0]?.association]
        return (
          <Section
            key={group}
            document={document.name}
            path={group}
            title={title}
            isLink={association !== undefined && associatedKey(row, association) !== undefined}
            heading={
              <RecordLink association={association} row={row}>
                <FieldTitle title={title} path={group} />
              </RecordLink>
            }
          >
            {list}
          </Section>
        )
      })}
    </>
  )
}

/** Who has changed it last stands above, too. */
const byPlace = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  Number(one === 'lastUpdated') - Number(other === 'lastUpdated')

/** An associated record may be that of nobody. Of attributes 1 to 7 those that are empty say nothing. */
function isThere(field: FieldInfo, row: RecordFieldsProps['row']): boolean {
  const { association, names, path } = field
  // The page stands below it.
  if (names.at(-1) === 'companyId') return false
  if (association && association.keys.length > 0 && !associatedKey(row, association)) return false
  return !/\d$/.test(path) || valueIn(row, field).value !== ''
}

interface RecordLinkProps {
  readonly association: Association | undefined
  readonly row: RecordFieldsProps['row']
  readonly children: ReactNode
}

/** Leads to the associated record that the children are the title of. */
function RecordLink({ association, row, children }: RecordLinkProps) {
  const { id: company } = useCompany()
  const key = association && associatedKey(row, association)
  if (!key) return children
  const params = { company, document: association.document, key: recordKeyText(key) }
  return (
    <Link to="/$company/record/$document/$key" params={params}>
      {children}
    </Link>
  )
}

function Field({ field, row }: { readonly field: FieldInfo; readonly row: Readonly<Record<string, unknown>> }) {
  const { id: company } = useCompany()
  const { value, description } = valueIn(row, field)
  const code = String(value ?? '')
  const reference = code === '' ? undefined : field.schema['x-erp-reference']
  const [names] = useCodeNames(reference && description === undefined ? [{ source: { reference }, codes: [code] }] : [])
  const shown = (
    <FieldValue
      value={value}
      kind={field.kind}
      states={field.states}
      titles={field.schema['x-erp-codeTitles']}
      description={description ?? names?.get(code)}
    />
  )
  const params = reference && { company, document: reference.document, key: recordKeyText([code]) }
  return (
    <>
      <dt>
        <FieldTitle title={field.titles.at(-1) ?? ''} path={field.path} description={field.schema.description} />
      </dt>
      <dd>
        {params ? (
          <Link to="/$company/record/$document/$key" params={params}>
            {shown}
          </Link>
        ) : (
          shown
        )}
      </dd>
    </>
  )
}
