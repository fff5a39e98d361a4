// Signing in by a password. The demo offers its person.
import { Alert, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { Mark } from '../../parts/icon.tsx'
import { BASE_PATH } from '../../service/base-path.ts'
import { fetchJson, sendJson } from '../../service/client.ts'
import { type Session, sessionQuery } from '../../service/session.ts'
import { sentence } from '../../words/sentence.tsx'
import { t } from '../../words/words.ts'
import classes from './page.module.css'

interface Ways {
  readonly password: boolean
  /** The issuers by which the people of some companies sign in. */
  readonly issuers: readonly { readonly issuer: string; readonly name: string }[]
  readonly demo?: { readonly user: string; readonly password: string }
}

/** The browser does not keep the cookie of a session at such an address, and a password could be read on its way. */
const needsHttps = () =>
  t('Signing in needs https, or localhost. Open the console at an address that begins with https://.')
const notKept = () =>
  t('The browser has not kept the session. Allow cookies of this address, and open the console by https.')

export function SignInPage() {
  const { to = '/', problem: cameBackWith } = useSearch({ from: '/sign-in' })
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data: ways } = useQuery({ queryKey: ['sign-in'], queryFn: () => fetchJson<Ways>('/console/api/sign-in') })
  const signIn = useMutation({
    mutationFn: async (person: { user: string; password: string }) => {
      await sendJson<Session>('POST', '/console/api/session', person)
      queries.clear()
      if ((await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })) === null) throw new Error(notKept())
    },
    onSuccess: () => navigate({ to, replace: true }),
  })
  const problem = window.isSecureContext ? (signIn.error?.message ?? problemOf(cameBackWith)) : needsHttps()
  useEffect(() => {
    document.title = `${t('Sign in')} · Tabularium`
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate({ user, password })
  }
  return (
    <main className={classes.page}>
      <Paper withBorder p="xl" className={classes.box}>
        <form onSubmit={submit}>
          <Stack gap="md">
            <div>
              <Mark size={40} />
              <Title order={1} mt="sm">
                Tabularium
              </Title>
              <Text c="dimmed">{t('Sign in to see and change records.')}</Text>
            </div>
            {problem !== undefined && (
              <Alert color="red" variant="light" role="alert">
                {problem}
              </Alert>
            )}
            <TextInput
              size="sm"
              label={t('User')}
              // The page is for nothing else.
              autoFocus
              autoComplete="username"
              required
              value={user}
              onChange={({ currentTarget }) => setUser(currentTarget.value)}
            />
            <PasswordInput
              label={t('Password')}
              autoComplete="current-password"
              required
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            <Button size="sm" type="submit" loading={signIn.isPending} disabled={!window.isSecureContext}>
              {t('Sign in')}
            </Button>
            {window.isSecureContext && ways?.issuers.map((one) => <ByIssuer key={one.issuer} {...one} to={to} />)}
            {ways?.demo && window.isSecureContext && (
              <DemoPerson ways={ways} onChoose={(person) => signIn.mutate(person)} />
            )}
            <Text size="sm" c="dimmed">
              {sentence('Programs sign in with a client: see the {{guides}}.', {
                guides: <a href={`${BASE_PATH}/docs`}>{t('guides')}</a>,
              })}
            </Text>
          </Stack>
        </form>
      </Paper>
    </main>
  )
}

function DemoPerson({
  ways,
  onChoose,
}: {
  ways: Ways
  onChoose: (person: { user: string; password: string }) => void
}) {
  const { demo } = ways
  if (!demo) return null
  return (
    <Button size="sm" variant="default" onClick={() => onChoose(demo)}>
      {t('Look around as {{user}}', { user: demo.user })}
    </Button>
  )
}

/** Leaves for the issuer, which leads back. */
function ByIssuer({ issuer, name, to }: { readonly issuer: string; readonly name: string; readonly to: string }) {
  const query = new URLSearchParams({ issuer, to })
  return (
    <Button size="sm" component="a" variant="default" href={`${BASE_PATH}/console/api/oidc/sign-in?${query}`}>
      {t('Sign in with {{name}}', { name })}
    </Button>
  )
}

/** Why somebody has come back from an issuer without a session. */
function problemOf(code: string | undefined): string | undefined {
  switch (code) {
    case 'issuer':
      return t('The service that signs you in does not answer, or is not set up here. Try again later.')
    case 'refused':
      return t('You were not signed in: the answer of the service that signs you in was refused. Try once more.')
    case 'expired':
      return t('Signing in took too long, or was begun in another window. Try once more.')
    case 'unknown-person':
      return t('You have signed in, but nobody has given you access to this service.')
    default:
      return undefined
  }
}
