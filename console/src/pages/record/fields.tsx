import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { FieldTitle } from '../../parts/field-title.tsx'
import { type Association, type DocumentInfo, type FieldInfo, fieldTitle, groupTitle } from '../../service/metadata.ts'
import { associatedKey, valueIn } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { useCompany } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { isFilled } from './filled.ts'
import { MemberValue } from './member-value.tsx'
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
        const list = <FieldList fields={fields} row={row} />
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

/** The empty ones stand back, in one line at the end. */
function FieldList({ fields, row }: { readonly fields: readonly FieldInfo[]; readonly row: RecordFieldsProps['row'] }) {
  const filled = fields.filter((field) => isFilled(row, field))
  const empty = fields.filter((field) => !filled.includes(field))
  return (
    <>
      {filled.length > 0 && (
        <dl className={classes.fields}>
          {filled.map((field) => (
            <Fragment key={field.path}>
              <dt>
                <FieldTitle title={fieldTitle(field)} path={field.path} description={field.schema.description} />
              </dt>
              <dd>
                <MemberValue field={field} row={row} />
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {empty.length > 0 && (
        <p className={classes.empty}>
          {t('Empty:')}{' '}
          {empty.map((field, place) => (
            <Fragment key={field.path}>
              {place > 0 && ', '}
              <FieldTitle title={fieldTitle(field)} path={field.path} description={field.schema.description} />
            </Fragment>
          ))}
        </p>
      )}
    </>
  )
}
