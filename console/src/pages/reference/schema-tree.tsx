import { Code } from '@mantine/core'
import { t } from '../../words/words.ts'
import { type ApiDescription, type ApiSchema, resolved } from './description.ts'
import classes from './reference.module.css'

interface SchemaTreeProps {
  readonly description: ApiDescription
  readonly schema: ApiSchema
  readonly depth?: number
}

/** Schemas that name themselves would have no end. */
const DEEPEST = 8

/** The members of a schema, each with those below it. */
export function SchemaTree({ description, schema, depth = 0 }: SchemaTreeProps) {
  const whole = resolved(description, schema)
  const list = whole.items ? resolved(description, whole.items) : undefined
  const { properties, required = [] } = list ?? whole
  const choices = whole.anyOf ?? whole.oneOf
  if (choices) {
    return choices.map((choice, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: choices have a place and nothing else
      <SchemaTree key={place} description={description} schema={choice} depth={depth} />
    ))
  }
  if (!properties) return depth === 0 ? <Code>{typeOf(description, whole)}</Code> : null
  return (
    <ul className={classes.members}>
      {Object.entries(properties).map(([name, member]) => {
        const found = resolved(description, member)
        const isDeeper =
          depth < DEEPEST && (found.properties || (found.items && resolved(description, found.items).properties))
        return (
          <li key={name}>
            <Code>{name}</Code> <span className={classes.type}>{typeOf(description, found)}</span>
            {required.includes(name) && <span className={classes.type}> {t('required')}</span>}{' '}
            {found.description ?? member.description}
            {isDeeper && (
              <details>
                <summary>{t('Members')}</summary>
                <SchemaTree description={description} schema={found} depth={depth + 1} />
              </details>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function typeOf(description: ApiDescription, { type, format, enum: values, items, maxLength }: ApiSchema): string {
  const name = items
    ? t('list of {{type}}', { type: typeOf(description, resolved(description, items)) })
    : [type ?? 'any'].flat().join(' | ')
  const legal = values ? `: ${values.map((value) => JSON.stringify(value)).join(', ')}` : ''
  const length = maxLength === undefined ? '' : `, ${t('at most {{count}} characters', { count: maxLength })}`
  return `${name}${format === undefined ? '' : ` (${format})`}${length}${legal}`
}
