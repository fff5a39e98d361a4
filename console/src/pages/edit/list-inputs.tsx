import { Button } from '@mantine/core'
import type { FieldInfo } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import { itemsOf, type ListItem, type ListShape, textOfItems } from './changes.ts'
import classes from './edit.module.css'
import { FieldInput, type FieldInputProps } from './field-input.tsx'
import type { Findings } from './findings.ts'
import { FormSection } from './form-section.tsx'

interface ListInputsProps {
  /** The document that the record is of. */
  readonly document: string
  readonly list: ListShape
  /** The items as the draft has them. */
  readonly text: string
  readonly findings: Findings
  readonly onChange: (text: string) => void
}

/** The items of a list, each in a form of its own. */
export function ListInputs({ document, list, text, findings, onChange }: ListInputsProps) {
  const { path, titles, fields, relations } = list
  const items = itemsOf(text)
  const title = titles.join(' / ')
  const replace = (place: number, texts: ListItem['texts']) =>
    onChange(textOfItems(items.map((item, other) => (other === place ? { ...item, texts } : item))))
  return (
    <FormSection
      {...{ document, path, title }}
      isNeeded={[...findings.keys()].some((at) => at.split('/', 1)[0] === path)}
    >
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
    </FormSection>
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
