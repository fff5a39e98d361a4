import { Button, FileButton, Group, Text, Textarea, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Preformatted } from '../../parts/preformatted.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { sendJson } from '../../service/client.ts'
import { t } from '../../words/words.ts'
import classes from './service.module.css'

interface Comparison {
  readonly changes?: string
  readonly problems?: readonly string[]
}

interface CompareSetupProps {
  readonly text: string
  readonly onChange: (text: string) => void
}

/** What a file would change, found out by a run that is rolled back. It is applied by `tabularium setup`. */
export function CompareSetup({ text, onChange }: CompareSetupProps) {
  const compare = useMutation({
    mutationFn: (setup: string) =>
      sendJson<Comparison>('POST', '/console/api/administration/setup/comparison', { setup }),
  })
  return (
    <section aria-label={t('What a file would change')} className={classes.comparison}>
      <Title order={2}>{t('What a file would change')}</Title>
      <Textarea
        label={t('Setup file')}
        description={t('Nothing is applied here: `tabularium setup FILE` does that.')}
        rows={10}
        spellCheck={false}
        classNames={{ input: classes.code ?? '' }}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Group gap="xs">
        <Button
          size="xs"
          disabled={text.trim() === ''}
          loading={compare.isPending}
          onClick={() => compare.mutate(text)}
        >
          {t('Compare')}
        </Button>
        <FileButton accept=".yaml,.yml" onChange={(file) => void file?.text().then(onChange)}>
          {(props) => (
            <Button size="xs" variant="default" {...props}>
              {t('Open a file')}
            </Button>
          )}
        </FileButton>
      </Group>
      {compare.error && <ProblemNote error={compare.error} />}
      <div role="status">{compare.data && <Outcome {...compare.data} />}</div>
    </section>
  )
}

function Outcome({ changes, problems }: Comparison) {
  if (problems) {
    return (
      <>
        <Text fw={600}>{t('The file has faults:')}</Text>
        <ul>
          {problems.map((problem) => (
            <li key={problem}>
              <ShownText text={problem} />
            </li>
          ))}
        </ul>
      </>
    )
  }
  return (
    <Preformatted>
      <ShownText text={changes ?? ''} length={20_000} />
    </Preformatted>
  )
}
