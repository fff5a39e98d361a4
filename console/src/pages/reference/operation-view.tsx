import { Code, Text, Title } from '@mantine/core'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Preformatted } from '../../parts/preformatted.tsx'
import { t } from '../../words/words.ts'
import {
  type ApiAnswer,
  type ApiContent,
  type ApiDescription,
  type ApiSchema,
  type Operation,
  resolved,
} from './description.ts'
import { PathText } from './path-text.tsx'
import classes from './reference.module.css'
import { TryIt } from './try-it.tsx'

interface OperationViewProps {
  readonly company: string
  readonly description: ApiDescription
  readonly operation: Operation
}

export function OperationView({ company, description, operation }: OperationViewProps) {
  const { method, path, summary, description: text, requestBody, responses = {} } = operation
  const permission = operation['x-permission']
  return (
    <article aria-label={operation.name} className={classes.article}>
      <Title order={2}>{summary ?? operation.name}</Title>
      <Code className={classes.address}>
        {method} <PathText path={path} />
      </Code>
      {text !== undefined && <Text className={classes.text}>{text}</Text>}
      {permission !== undefined && (
        <Text size="sm" c="dimmed">
          {t('Needs {{permission}}.', { permission })}
        </Text>
      )}
      <TryIt key={operation.name} company={company} operation={operation} />
      {requestBody &&
        Object.entries(requestBody.content).map(([type, content]) => (
          <Content key={type} title={t('Body, {{type}}', { type })} description={description} content={content} />
        ))}
      <Title order={3}>{t('Answers')}</Title>
      {Object.entries(responses).map(([status, answer]) => (
        <Answer key={status} status={status} answer={answer} description={description} />
      ))}
    </article>
  )
}

interface AnswerProps {
  readonly status: string
  readonly answer: ApiAnswer
  readonly description: ApiDescription
}

function Answer({ status, answer, description }: AnswerProps) {
  return (
    <details>
      <summary>
        <strong>{status}</strong> {answer.description}
      </summary>
      {Object.entries(answer.content ?? {}).map(([type, content]) => (
        <Content key={type} title={type} description={description} content={content} />
      ))}
    </details>
  )
}

interface ContentProps {
  readonly title: string
  readonly description: ApiDescription
  readonly content: ApiContent
}

function Content({ title, description, content: { schema, examples = {} } }: ContentProps) {
  return (
    <section className={classes.content} aria-label={title}>
      <Title order={4}>{title}</Title>
      {schema && <SchemaTree description={description} schema={schema} />}
      {Object.entries(examples).map(([name, example]) => {
        const shown = typeof example.value === 'string' ? example.value : JSON.stringify(example.value, null, 2)
        return (
          <details key={name}>
            <summary>{t('Example: {{name}}', { name: example.summary ?? name })}</summary>
            {example.description !== undefined && <Code>{example.description}</Code>}
            <Preformatted>{shown}</Preformatted>
            <CopyButton text={shown}>{t('Copy')}</CopyButton>
          </details>
        )
      })}
    </section>
  )
}

interface SchemaTreeProps {
  readonly description: ApiDescription
  readonly schema: ApiSchema
  readonly depth?: number
}

/** Schemas that name themselves would have no end. */
const DEEPEST = 8

/** The members of a schema, each with those below it. */
function SchemaTree({ description, schema, depth = 0 }: SchemaTreeProps) {
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
