// What is around every page: the company, the way to all others, and who has signed in.
import { AppShell, Burger, Button, NativeSelect } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Mark } from '../parts/icon.tsx'
import { actOnLast, Notices } from '../parts/notices.tsx'
import { actAs } from '../service/client.ts'
import { useCompany, useSession, useSessionIfAny } from '../service/session.ts'
import { sentence } from '../words/sentence.tsx'
import { t } from '../words/words.ts'
import { Navigation } from './navigation.tsx'
import { SearchButton } from './search/search-button.tsx'
import classes from './shell.module.css'
import { useShortcuts } from './shortcuts.ts'

/** They come a moment later: what they are made of is a fifth of the first load. */
const SearchDialog = lazy(() => import('./search/search-dialog.tsx'))
const AccountMenu = lazy(() => import('./account-menu.tsx'))
const Keys = lazy(() => import('./keys.tsx'))

export function Shell() {
  return useSessionIfAny() === null ? <ToSignIn /> : <Frame />
}

/** A session that has ended leads to the page to sign in, and back. */
function ToSignIn() {
  const navigate = useNavigate()
  const { href } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that was left is the first one
  useEffect(() => void navigate({ to: '/sign-in', search: { to: href } }), [])
  return null
}

function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page is shown
  useEffect(close, [pathname])
  useFocusInPage(pathname)
  const [showsKeys, keys] = useDisclosure(false)
  const [isSearching, search] = useDisclosure(false)
  useShortcuts({ showKeys: keys.open, search: search.open, undo: actOnLast })
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={0}
      transitionDuration={0}
    >
      <a href="#content" className={classes.skip}>
        {t('Skip to the content')}
      </a>
      <AppShell.Header className={classes.header}>
        <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('Navigation')} />
        <Link to="/" className={classes.name} aria-label="Tabularium">
          <Mark />
          <span>Tabularium</span>
        </Link>
        <CompanyChoice />
        <div className={classes.space} />
        <SearchButton onOpen={search.open} />
        <Suspense>
          <AccountMenu onKeys={keys.open} />
        </Suspense>
      </AppShell.Header>
      <AppShell.Navbar className={classes.side ?? ''}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <ActingBanner />
        <Outlet />
      </AppShell.Main>
      <Notices />
      <Suspense>{isSearching && <SearchDialog onClose={search.close} />}</Suspense>
      <Suspense>{showsKeys && <Keys onClose={keys.close} />}</Suspense>
    </AppShell>
  )
}

/** Keys go on in the page that was gone to, and not in what led there. */
function useFocusInPage(pathname: string): void {
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    const content = document.getElementById('content')
    // A form has put the cursor into its first field.
    if (!content?.contains(document.activeElement)) content?.focus({ preventScroll: true })
  }, [pathname])
}

function CompanyChoice() {
  const { companies } = useSession()
  const { id } = useCompany()
  const navigate = useNavigate()
  if (companies.length < 2) return null
  return (
    <NativeSelect
      aria-label={t('Company')}
      value={id}
      data={companies.map((company) => ({ value: company.id, label: company.name ?? company.id }))}
      onChange={({ currentTarget }) => void navigate({ to: '/$company', params: { company: currentTarget.value } })}
      className={classes.company}
    />
  )
}

/** On every page while an administrator sees what a client sees. */
function ActingBanner() {
  const { actingAs } = useSession()
  if (actingAs === undefined) return null
  return (
    <aside className={classes.banner} aria-label={t('Seeing as another')}>
      <span>
        {sentence('You see what the client {{client}} sees. Nothing can be changed, and this is in the audit.', {
          client: (
            <strong>
              <bdi>{actingAs}</bdi>
            </strong>
          ),
        })}
      </span>
      <Button color="dark" onClick={() => actAs(undefined)}>
        {t('Back to yourself')}
      </Button>
    </aside>
  )
}
