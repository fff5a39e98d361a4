// A form for one operation, sent with the session of who has signed in.
import { Button, Checkbox, Group, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Problem } from '#client'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Preformatted } from '../../parts/preformatted.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { BASE_PATH } from '../../service/base-path.ts'
import { fetchService } from '../../service/client.ts'
import { t } from '../../words/words.ts'
import type { ApiParameter, Operation } from './description.ts'
import classes from './reference.module.css'
import { addressOfTrial, asCurl, asTypeScript, type Given, givenKey, headersOfTrial, JSON_TYPES } from './trial.ts'

interface TryItProps {
  readonly company: string
  readonly operation: Operation
}

interface Tried {
  readonly status: number
  readonly ms: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
}

const SHOWN_HEADERS = ['content-type', 'etag', 'location', 'x-erp-total-count', 'x-erp-change-number', 'x-request-id']
const READS = ['GET', 'HEAD']

export function TryIt({ company, operation }: TryItProps) {
  const { method, parameters = [], requestBody } = operation
  const type = JSON_TYPES.find((one) => requestBody?.content[one])
  const [given, setGiven] = useState<Given>(() => firstGiven(parameters, company))
  const [body, setBody] = useState(() => firstBody(operation, type))
  const [isMeant, setMeant] = useState(false)
  const address = addressOfTrial(operation, given)
  const isWrite = !READS.includes(method) && given['query validateOnly'] !== 'true'
  const headers = { ...headersOfTrial(operation, given), ...(type && { 'content-type': type }) }
  const trial = useMutation({
    mutationFn: () => send(address ?? '', { method, headers, ...(type && { body }) }),
    onSuccess: () => setMeant(false),
  })
  if (requestBody && type === undefined) {
    return (
      <Text size="sm">
        {t('Its body is no JSON: it is not tried here. /docs and the typed client show how it is sent.')}
      </Text>
    )
  }
  const printed = {
    method,
    url: `${location.origin}${BASE_PATH}${address ?? operation.path}`,
    headers,
    body: type === undefined ? undefined : body,
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    trial.mutate()
  }
  return (
    <form onSubmit={submit} className={classes.trial} aria-label={t('Try it')}>
      <Title order={3}>{t('Try it')}</Title>
      <div className={classes.fields}>
        {parameters.map((parameter) => (
          <TextInput
            key={givenKey(parameter)}
            label={parameter.in === 'query' ? parameter.name : `${parameter.name} (${parameter.in})`}
            description={parameter.description}
            required={parameter.required === true}
            value={given[givenKey(parameter)] ?? ''}
            onChange={({ currentTarget: { value } }) => setGiven({ ...given, [givenKey(parameter)]: value })}
          />
        ))}
      </div>
      {type && (
        <Textarea
          label={t('Body, {{type}}', { type })}
          rows={Math.min(body.split('\n').length + 1, 20)}
          spellCheck={false}
          classNames={{ input: classes.code ?? '' }}
          value={body}
          onChange={({ currentTarget }) => setBody(currentTarget.value)}
        />
      )}
      {isWrite && (
        <Checkbox
          label={t('This may change records, and I mean it')}
          checked={isMeant}
          onChange={({ currentTarget }) => setMeant(currentTarget.checked)}
        />
      )}
      <Group gap="xs">
        <Button type="submit" disabled={address === undefined || (isWrite && !isMeant)} loading={trial.isPending}>
          {t('Send')}
        </Button>
        <CopyButton text={() => asCurl(printed)}>{t('Copy curl')}</CopyButton>
        <CopyButton text={() => asTypeScript(printed)}>{t('Copy TypeScript')}</CopyButton>
      </Group>
      {trial.error && <ProblemNote error={trial.error} />}
      {trial.data && <TriedAnswer tried={trial.data} />}
    </form>
  )
}

function firstGiven(parameters: readonly ApiParameter[], company: string): Given {
  return Object.fromEntries(
    parameters.map((parameter) => [givenKey(parameter), parameter.name === 'companyId' ? company : '']),
  )
}

/** The first example that is described. */
function firstBody({ requestBody }: Operation, type: string | undefined): string {
  const [example] = Object.values((type && requestBody?.content[type]?.examples) || {})
  return example === undefined ? '{}' : JSON.stringify(example.value, null, 2)
}

/** Refusals are answers too. */
async function send(address: string, init: RequestInit): Promise<Tried> {
  const began = performance.now()
  const tried = (status: number, headers: Headers, text: string): Tried => ({
    status,
    ms: Math.round(performance.now() - began),
    headers: SHOWN_HEADERS.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value] as const]
    }),
    text: formatted(text),
  })
  try {
    const answer = await fetchService(address, init)
    return tried(answer.status, answer.headers, await answer.text())
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 0) throw error
    return tried(error.status, error.headers, error.text)
  }
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function TriedAnswer({ tried: { status, ms, headers, text } }: { readonly tried: Tried }) {
  return (
    <section aria-label={t('Answer')} aria-live="polite">
      <Text fw={600}>{t('{{status}} after {{number}} ms', { status: String(status), number: ms })}</Text>
      {headers.map(([name, value]) => (
        <Text key={name} size="sm" c="dimmed">
          {name}: <ShownText text={value} />
        </Text>
      ))}
      {text !== '' && (
        <Preformatted>
          <ShownText text={text} length={20_000} />
        </Preformatted>
      )}
    </section>
  )
}
