// What went wrong, in the words of the service, with what can be done.
import { Alert, Button, Code, Group, Text } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { NetworkProblem, Problem, ValidationProblem } from '#client'
import { type DocumentInfo, titleAt } from '../service/metadata.ts'
import { sentence } from '../words/sentence.tsx'
import { t } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { PageFrame } from './page-frame.tsx'
import classes from './problem.module.css'

interface ProblemNoteProps {
  readonly error: unknown
  readonly onRetry?: () => void
  /** The document whose members the findings name. */
  readonly document?: DocumentInfo
}

export function ProblemNote({ error, onRetry, document }: ProblemNoteProps) {
  return (
    <Alert color="red" variant="light" title={titleOf(error)} role="alert" icon={<Icon name="warning" />}>
      {error instanceof ValidationProblem && error.findings.length > 0 ? (
        <ul className={error.findings.length === 1 ? classes.single : undefined}>
          {error.findings.map(({ path, message }) => (
            <li key={path + message}>
              {document && <strong title={path}>{titleAt(document, path)} </strong>}
              <bdi>{message}</bdi>
            </li>
          ))}
        </ul>
      ) : (
        <Text size="sm">
          <bdi>{error instanceof Error ? error.message : String(error)}</bdi>
        </Text>
      )}
      <Group gap="sm" mt="xs">
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            {t('Try again')}
          </Button>
        )}
        {error instanceof Problem && error.requestId !== undefined && (
          <Text size="xs" c="dimmed">
            {sentence('Request {{id}}', { id: <Code>{error.requestId}</Code> })}
          </Text>
        )}
      </Group>
    </Alert>
  )
}

/** For a page that could not be shown at all. */
export function ProblemPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const again = () => {
    reset()
    void router.invalidate()
  }
  return (
    <PageFrame title={titleOf(error)}>
      <ProblemNote error={error} onRetry={again} />
    </PageFrame>
  )
}

function titleOf(error: unknown): string {
  if (error instanceof NetworkProblem || error instanceof TypeError) return t('The service does not answer')
  if (!(error instanceof Problem)) return t('This page has failed')
  if (error.status === 401) return t('Your session has ended')
  if (error.status === 403) return t('Not for you')
  if (error.status === 404) return t('There is no such record')
  if (error.status === 429) return t('Too many requests')
  if (error.status === 503) return t('The service cannot answer this now')
  return error.status < 500 ? t('The service refuses this') : t('The service has failed')
}
