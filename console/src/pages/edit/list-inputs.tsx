import { Button } from '@mantine/core'
import { FieldTitle } from '../../parts/field-title.tsx'
import type { FieldInfo } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import { itemsOf, type ListItem, type ListShape, textOfItems } from './changes.ts'
import classes from './edit.module.css'
import { FieldInput, type FieldInputProps } from './field-input.tsx'
import type { Findings } from './findings.ts'

interface ListInputsProps {
  readonly list: ListShape
  /** The items as the draft has them. */
  readonly text: string
  readonly findings: Findings
  readonly onChange: (text: string) => void
}

/** The items of a list, each in a form of its own. */
export function ListInputs({ list: { path, titles, fields, relations }, text, findings, onChange }: ListInputsProps) {
  const items = itemsOf(text)
  const title = titles.join(' / ')
  const replace = (place: number, texts: ListItem['texts']) =>
    onChange(textOfItems(items.map((item, other) => (other === place ? { ...item, texts } : item))))
  return (
    <fieldset className={classes.group}>
      <legend>
        <FieldTitle title={title} path={path} />
      </legend>
      {items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what the service knows of an item
        <div key={place} className={classes.item}>
          <div className={classes.fields}>
            {fields.map((field) => (
              <FieldInput
                key={field.path}
                field={field}
                {...relationInput(field, item.texts, relations)}
                value={item.texts[field.path] ?? ''}
                error={findings.get(`${path}/${item.place ?? place}/${field.path}`)}
                onChange={(value) => replace(place, { ...item.texts, [field.path]: value })}
              />
            ))}
          </div>
          <Button
            variant="default"
            aria-label={t('Remove item {{number}} of {{list}}', { number: place + 1, list: title })}
            onClick={() => onChange(textOfItems(items.filter((_item, other) => other !== place)))}
          >
            {t('Remove')}
          </Button>
        </div>
      ))}
      <Button
        variant="default"
        aria-label={t('Add an item to {{list}}', { list: title })}
        onClick={() => onChange(textOfItems([...items, { texts: {} }]))}
      >
        {t('Add')}
      </Button>
    </fieldset>
  )
}

/** The relation is one of those that are set up, and says what the related value may be. */
function relationInput(
  { path }: FieldInfo,
  { relationId }: ListItem['texts'],
  relations: ListShape['relations'],
): Partial<FieldInputProps> {
  if (relations.length === 0) return {}
  if (path === 'relationId') {
    return { choices: relations.map(({ relationId: value, title: label }) => ({ value, label })) }
  }
  const relation = relations.find((one) => one.relationId === relationId)
  return path === 'relatedValue' && relation ? { source: { attributeId: relation.attributeId } } : {}
}
