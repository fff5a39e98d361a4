// Signing in by a password. The demo offers its person.
import { Alert, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { BASE_PATH } from '../../service/base-path.ts'
import { fetchJson, sendJson } from '../../service/client.ts'
import { type Session, sessionQuery } from '../../service/session.ts'
import classes from './page.module.css'

interface Ways {
  readonly password: boolean
  readonly demo?: { readonly user: string; readonly password: string }
}

/** The browser does not keep the cookie of a session at such an address, and a password could be read on its way. */
const NEEDS_HTTPS = 'Signing in needs https, or localhost. Open the console at an address that begins with https://.'
const NOT_KEPT = 'The browser has not kept the session. Allow cookies of this address, and open the console by https.'

export function SignInPage() {
  const { to = '/' } = useSearch({ from: '/sign-in' })
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data: ways } = useQuery({ queryKey: ['sign-in'], queryFn: () => fetchJson<Ways>('/console/api/sign-in') })
  const signIn = useMutation({
    mutationFn: async (person: { user: string; password: string }) => {
      await sendJson<Session>('POST', '/console/api/session', person)
      queries.clear()
      if ((await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })) === null) throw new Error(NOT_KEPT)
    },
    onSuccess: () => navigate({ to, replace: true }),
  })
  const problem = window.isSecureContext ? signIn.error?.message : NEEDS_HTTPS
  useEffect(() => {
    document.title = 'Sign in · Tabularium'
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
              <Title order={1}>Tabularium</Title>
              <Text c="dimmed">Sign in to see and change records.</Text>
            </div>
            {problem !== undefined && (
              <Alert color="red" variant="light" role="alert">
                {problem}
              </Alert>
            )}
            <TextInput
              label="User"
              autoComplete="username"
              required
              value={user}
              onChange={({ currentTarget }) => setUser(currentTarget.value)}
            />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              required
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            <Button type="submit" loading={signIn.isPending} disabled={!window.isSecureContext}>
              Sign in
            </Button>
            {ways?.demo && window.isSecureContext && (
              <DemoPerson ways={ways} onChoose={(person) => signIn.mutate(person)} />
            )}
            <Text size="sm" c="dimmed">
              Programs sign in with a client: see the <a href={`${BASE_PATH}/docs`}>guides</a>.
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
    <Button variant="default" onClick={() => onChoose(demo)}>
      Look around as {demo.user}
    </Button>
  )
}
