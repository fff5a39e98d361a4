// What each column of a file means: a property by its title, or nothing; and what the file does not have, as constants.
import { Select, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { FieldTitle } from '../../parts/field-title.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { ValueHelp } from '../../parts/value-help.tsx'
import type { FilePreview } from '../../service/imports.ts'
import { type DocumentInfo, describedAt } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import classes from './import.module.css'
import { sourceAt, titlesAt } from './needed.ts'
import { type Mapping, type Origin, pointerOf, type Table } from './table.ts'

interface ColumnsTableProps {
  readonly document: DocumentInfo
  readonly preview: FilePreview
  readonly table: Table
  readonly mapping: Mapping
  /** The paths of what every record needs. */
  readonly needed: readonly string[]
  readonly onChange: (mapping: Mapping) => void
}

const SAMPLES = 3

export function ColumnsTable({ document, preview, table, mapping, needed, onChange }: ColumnsTableProps) {
  const { columns } = preview
  const groups = useMemo(() => choicesOf(document, columns), [document, columns])
  const paths = new Map(
    [...mapping].flatMap(([path, origin]) => ('heading' in origin ? [[origin.heading, path] as const] : [])),
  )
  const assign = (heading: string, path: string | null) => {
    const others = [...mapping].filter(([, origin]) => !('heading' in origin) || origin.heading !== heading)
    onChange(new Map(path === null ? others : [...others, [path, { heading }]]))
  }
  return (
    <>
      <table className={classes.columns}>
        <caption className={classes.caption}>{t('What the columns of the file mean')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Column of the file')}</th>
            <th scope="col">{t('Its first values')}</th>
            <th scope="col">{t('Becomes')}</th>
          </tr>
        </thead>
        <tbody>
          {table.headings.map((heading, at) => (
            <tr key={heading} data-left={!paths.has(heading) || undefined}>
              <th scope="row">
                <bdi>{heading}</bdi>
              </th>
              <td className={classes.samples}>
                <bdi>{samplesOf(table, at).join(' · ')}</bdi>
              </td>
              <td>
                <Select
                  size="xs"
                  aria-label={t('What {{heading}} becomes', { heading })}
                  placeholder={t('Left out')}
                  data={groups}
                  value={paths.get(heading) ?? null}
                  onChange={(path) => assign(heading, path)}
                  searchable
                  clearable
                  nothingFoundMessage={t('There is no such field.')}
                  comboboxProps={{ withinPortal: true }}
                  maxDropdownHeight={320}
                  clearButtonProps={{ 'aria-label': t('Leave {{heading}} out', { heading }) }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Constants document={document} groups={groups} mapping={mapping} needed={needed} onChange={onChange} />
    </>
  )
}

/** The relation whose value is asked for by its name. */
const isFixed = (path: string): boolean => path.endsWith('.relationId')

type Groups = readonly {
  readonly group: string
  readonly items: { readonly value: string; readonly label: string }[]
}[]

/** The properties by the groups that they stand in. */
function choicesOf(document: DocumentInfo, columns: FilePreview['columns']): Groups {
  const all = columns.map(({ path, isRequired }) => {
    const { titles } = describedAt(document, pointerOf(path))
    const title = titles.at(-1) ?? path
    return { group: titles.slice(0, -1).join(' / '), value: path, label: isRequired ? `${title} *` : title }
  })
  const named = Map.groupBy(all, ({ group }) => group)
  return [...named].map(([group, items]) => ({
    group: group || (document.schema.title ?? ''),
    items: items.map(({ value, label }) => ({ value, label: group === '' ? label : `${label} (${group})` })),
  }))
}

function samplesOf({ rows }: Table, at: number): string[] {
  const found = new Set<string>()
  for (const { cells } of rows) {
    const cell = (cells[at] ?? '').trim()
    if (cell !== '') found.add(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell)
    if (found.size === SAMPLES) break
  }
  return [...found]
}

interface ConstantsProps extends Omit<ColumnsTableProps, 'table' | 'preview'> {
  readonly groups: Groups
}

/** What is needed and in no column first; anything else may be given too. */
function Constants({ document, groups, mapping, needed: all, onChange }: ConstantsProps) {
  const [added, setAdded] = useState<readonly string[]>([])
  const isOfFile = (origin: Origin | undefined) => origin !== undefined && 'heading' in origin
  const needed = all.filter((path) => !isOfFile(mapping.get(path)))
  const constants = [...mapping.keys()].filter((path) => !isOfFile(mapping.get(path)) && !isFixed(path))
  const shown = [...new Set([...needed, ...constants, ...added])].filter((path) => !isOfFile(mapping.get(path)))
  const set = (path: string, constant: string) => {
    const others = [...mapping].filter(([other]) => other !== path)
    onChange(new Map(constant === '' ? others : [...others, [path, { constant }]]))
  }
  const free = groups
    .map(({ group, items }) => ({
      group,
      items: items.filter(({ value }) => !mapping.has(value) && !shown.includes(value)),
    }))
    .filter(({ items }) => items.length > 0)
  return (
    <section className={classes.constants} aria-label={t('The same in each row')}>
      <Text fw={600}>{t('The same in each row')}</Text>
      <Text size="sm" c="dimmed">
        {needed.length > 0
          ? t('What every record needs and the file does not have')
          : t('The file has all that every record needs.')}
      </Text>
      <div className={classes.constantFields}>
        {shown.map((path) => (
          <Constant
            key={path}
            document={document}
            path={path}
            mapping={mapping}
            origin={mapping.get(path)}
            onChange={(text) => set(path, text)}
          />
        ))}
        {free.length > 0 && (
          <Select
            size="xs"
            label={t('Another field')}
            placeholder={t('Choose a field')}
            data={free}
            value={null}
            onChange={(path) => path !== null && setAdded([...added, path])}
            searchable
            nothingFoundMessage={t('There is no such field.')}
            maxDropdownHeight={320}
          />
        )}
      </div>
    </section>
  )
}

interface ConstantProps {
  readonly document: DocumentInfo
  readonly path: string
  readonly mapping: Mapping
  readonly origin: Origin | undefined
  readonly onChange: (text: string) => void
}

function Constant({ document, path, mapping, origin, onChange }: ConstantProps) {
  const { description } = describedAt(document, pointerOf(path)).schema
  const source = sourceAt(document, mapping, path)
  const value = origin && 'constant' in origin ? origin.constant : ''
  const label = (
    <FieldTitle title={titlesAt(document, mapping, path).slice(-2).join(' / ')} path={path} description={description} />
  )
  return source ? (
    <ValueHelp source={source} label={label} value={value} error={undefined} onChange={onChange} />
  ) : (
    <TextField isLong={false} required={false} error={undefined} label={label} value={value} onChange={onChange} />
  )
}
