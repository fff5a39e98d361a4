// The setup in force, a change of it with what it would make different, and the change applied.
import { Alert, Anchor, Button, Code, FileButton, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Problem } from '#client'
import { CodeEditor, goToLine } from '../../parts/code-editor.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { notify } from '../../parts/notices.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { administrationPath, administrationQuery } from '../../service/administration.ts'
import { sendJson } from '../../service/client.ts'
import { t } from '../../words/words.ts'
import classes from './service.module.css'

interface SetupInForce {
  readonly setup: string
  readonly changedInConsole?: { readonly userId: string; readonly at: string }
}

interface Comparison {
  readonly changes?: string
  readonly problems?: readonly Fault[]
}

interface Fault {
  /** Absent for what no line of the file says, such as of records that are stored. */
  readonly line?: number
  readonly column?: number
  /** Such as `companies[0].id`; empty for a fault of the whole. */
  readonly path?: string
  readonly message: string
}

export function SetupPart() {
  const { data, error, refetch } = useQuery(administrationQuery<SetupInForce>('/setup'))
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return <SetupEditor key={data.setup} inForce={data} />
}

/** A text may only be applied as it was compared. */
function SetupEditor({ inForce: { setup, changedInConsole } }: { readonly inForce: SetupInForce }) {
  const [text, setText] = useState(setup)
  const editor = useRef<HTMLTextAreaElement>(null)
  const queries = useQueryClient()
  const compare = useMutation({
    mutationFn: (changed: string) =>
      sendJson<Comparison>('POST', administrationPath('/setup/comparison'), { setup: changed }),
  })
  const apply = useMutation({
    mutationFn: (changed: string) => sendJson<Comparison>('POST', administrationPath('/setup'), { setup: changed }),
    onSuccess: async () => {
      notify(t('The setup is in force.'))
      await queries.invalidateQueries()
    },
  })
  const change = (next: string) => {
    compare.reset()
    apply.reset()
    setText(next)
  }
  const { changes, problems } = compare.data ?? {}
  // What was compared may be illegal by now: records and the setup in force have changed since.
  const refused = apply.error instanceof Problem ? (apply.error.body as Comparison | undefined)?.problems : undefined
  const faults = refused ?? problems
  return (
    <div className={classes.section}>
      <Text size="sm" c="dimmed">
        {t('All companies, rules, roles and people as one file. What a changed file leaves out stays as it is.')}
      </Text>
      {changedInConsole && (
        <Alert variant="light" color="gray">
          {t(
            'Changed here by {{user}} on {{day}}: a start no longer applies the setup file that it is given. `tabularium setup FILE` does, and makes that file the source again.',
            { user: changedInConsole.userId, day: timeText(changedInConsole.at) },
          )}
        </Alert>
      )}
      <CodeEditor
        label={t('Setup in force')}
        description={t('Secrets are hidden: leave their marks as they are. Change the text, compare it, and apply it.')}
        rows={20}
        value={text}
        marked={(faults ?? []).flatMap(({ line }) => line ?? [])}
        editor={editor}
        onChange={change}
      />
      <Group gap="xs">
        <Button disabled={text === setup} loading={compare.isPending} onClick={() => compare.mutate(text)}>
          {t('Compare')}
        </Button>
        <FileButton accept=".yaml,.yml" onChange={(file) => void file?.text().then(change)}>
          {(props) => (
            <Button variant="default" {...props}>
              {t('Open a file')}
            </Button>
          )}
        </FileButton>
        <CopyButton text={text}>{t('Copy')}</CopyButton>
        {text !== setup && (
          <Button variant="default" onClick={() => change(setup)}>
            {t('Back to the setup in force')}
          </Button>
        )}
      </Group>
      {compare.error && <ProblemNote error={compare.error} />}
      {apply.error && !refused && <ProblemNote error={apply.error} />}
      <div role="status">
        {faults && (
          <Faults
            faults={faults}
            onGo={({ line = 1, column = 1 }) => editor.current && goToLine(editor.current, line, column)}
          />
        )}
        {changes !== undefined && <SetupChanges text={changes} />}
      </div>
      {changes !== undefined && (
        <div>
          <Button loading={apply.isPending} onClick={() => apply.mutate(text)}>
            {t('Apply these changes')}
          </Button>
        </div>
      )}
    </div>
  )
}

interface FaultsProps {
  readonly faults: readonly Fault[]
  readonly onGo: (fault: Fault) => void
}

function Faults({ faults, onGo }: FaultsProps) {
  return (
    <>
      <Text size="sm" fw={600}>
        {t('The file has faults:')}
      </Text>
      <ul>
        {faults.map((fault) => (
          <li key={JSON.stringify(fault)}>
            {fault.line !== undefined && (
              <>
                <Anchor component="button" type="button" fw={700} onClick={() => onGo(fault)}>
                  {t('Line {{number}}', { number: String(fault.line) })}
                </Anchor>{' '}
              </>
            )}
            {fault.path && (
              <>
                <Code>
                  <ShownText text={fault.path} />
                </Code>{' '}
              </>
            )}
            <ShownText text={fault.message} length={500} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The first character of a line tells what becomes of the item. */
const KINDS: Readonly<Record<string, () => string>> = {
  '+': () => t('New'),
  '~': () => t('Changed'),
  '-': () => t('Removed'),
}

/** What the kinds of items are called; others are told as the setup names them. */
const NOUNS: Readonly<Record<string, () => string>> = {
  attribute: () => t('Attribute'),
  authentication: () => t('Sign-in'),
  client: () => t('Client'),
  company: () => t('Company'),
  customers: () => t('Customers'),
  document: () => t('Document'),
  documentType: () => t('Document type'),
  index: () => t('Index'),
  indexes: () => t('Indexes'),
  relation: () => t('Relation'),
  role: () => t('Role'),
  subscription: () => t('Subscription'),
  'text index': () => t('Index of texts'),
  user: () => t('Person'),
  valueList: () => t('Value list'),
}

/** Such as `attribute EN/C1: name "A" -> nothing` and `3 attribute values of EN/C1`, in the words of the reader. */
function changeText(line: string): string {
  const [, number, what, of = ''] = /^(\d+) (attribute value|description)s? of (.+)$/.exec(line) ?? []
  const count = Number(number)
  if (what === 'description') return t('{{count}} descriptions of values of {{name}}', { count, name: of })
  if (what !== undefined) return t('{{count}} values of {{name}}', { count, name: of })
  const [, kind = '', rest = ''] = /^(text index|[a-zA-Z]+)( .+)$/s.exec(line) ?? []
  const noun = NOUNS[kind]?.()
  if (noun === undefined) return line
  return noun + rest.replace(/(?<= )nothing(?= ->|,|$)/g, t('nothing'))
}

/** What a setup would change, without what stays. */
function SetupChanges({ text }: { readonly text: string }) {
  const lines = text.split('\n').filter((line) => line.slice(0, 1) in KINDS)
  if (lines.length === 0) return <Text size="sm">{t('Nothing would change.')}</Text>
  return (
    <>
      <Text size="sm" fw={600}>
        {t('What would change:')}
      </Text>
      <ul className={classes.changes}>
        {lines.map((line) => (
          <li key={line}>
            <strong>{KINDS[line.slice(0, 1)]?.()}</strong> <ShownText text={changeText(line.slice(2))} length={500} />
          </li>
        ))}
      </ul>
    </>
  )
}
