import { Box, Code, Text } from '@mantine/core'
import { DataTable } from '../../parts/data-table.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { t } from '../../words/words.ts'

export interface EndedRequest {
  readonly at: string
  readonly requestId: string
  readonly client?: string
  readonly user?: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly reason?: string
  /** What the caller was told, with dots for values that are not kept. */
  readonly message?: string
  readonly company?: string
  readonly ms: number
}

interface RequestTableProps {
  readonly label: string
  readonly requests: readonly EndedRequest[]
}

const REFUSED_FROM = 400

export function RequestTable({ label, requests }: RequestTableProps) {
  return (
    <DataTable
      label={label}
      rows={requests}
      keyOf={({ requestId, at }) => requestId + at}
      columns={{
        [t('Time')]: ({ at }) => timeText(at),
        [t('Who')]: ({ user = '' }) => <ShownText text={user} />,
        [t('Request')]: ({ method, route }) => `${method} ${route}`,
        [t('Company')]: ({ company = '' }) => company,
        [t('Status')]: ({ status }) => (status >= REFUSED_FROM ? <strong>{status}</strong> : status),
        [t('What was answered')]: (request) => <Answered {...request} />,
        [t('Took')]: ({ ms }) => `${Math.round(ms)} ms`,
        [t('Id')]: ({ requestId }) => <Code>{requestId}</Code>,
      }}
    />
  )
}

/** The statuses of mistakes in what was sent: the message says all that the reason does. */
const MISTAKES: readonly number[] = [400, 422]

function Answered({ message, reason = '', status }: EndedRequest) {
  return (
    <Box miw="14rem">
      <ShownText text={message ?? reason} length={300} />
      {message !== undefined && !MISTAKES.includes(status) && reason !== '' && reason !== message && (
        <Text size="xs" c="dimmed" component="div">
          <ShownText text={reason} length={200} />
        </Text>
      )}
    </Box>
  )
}
