// All addresses of the console. Each page is loaded when it is first visited.
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { Loading } from './parts/loading.tsx'
import { NotFound } from './parts/not-found.tsx'
import { ProblemPage } from './parts/problem.tsx'
import { documentsQuery } from './service/metadata.ts'
import { followReading } from './service/reading.ts'
import { sessionQuery, useSession } from './service/session.ts'
import { Shell } from './shell/shell.tsx'

export interface RouteContext {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<RouteContext>()({ component: Outlet })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { to?: string; problem?: string } => ({
    ...(typeof search.to === 'string' ? { to: search.to } : {}),
    ...(typeof search.problem === 'string' ? { problem: search.problem } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/sign-in/page.tsx'), 'SignInPage'),
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } })
    await followReading(session.user)
  },
  component: Shell,
})

const start = createRoute({ getParentRoute: () => signedIn, path: '/', component: ToDefaultCompany })

function ToDefaultCompany() {
  return <Navigate to="/$company" params={{ company: useSession().defaultCompany }} replace />
}

/** The view of a grid, a question: as the page itself reads it. */
const anySearch = (search: Record<string, unknown>): Record<string, unknown> => search

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account/page.tsx'), 'AccountPage'),
})

const service = createRoute({
  getParentRoute: () => signedIn,
  path: '/service',
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import('./pages/service/page.tsx'), 'ServicePage'),
})

const company = createRoute({
  getParentRoute: () => signedIn,
  path: '/$company',
  // Addresses of records need their versions. Pages tell why there is no list.
  beforeLoad: ({ context, params }) => context.queries.ensureQueryData(documentsQuery(params.company)).catch(() => {}),
  component: Outlet,
})

const home = createRoute({
  getParentRoute: () => company,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/page.tsx'), 'HomePage'),
})

const grid = createRoute({
  getParentRoute: () => company,
  path: '/grid/$document',
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import('./pages/grid/page.tsx'), 'GridPage'),
})

const balances = createRoute({
  getParentRoute: () => company,
  path: '/balances',
  component: lazyRouteComponent(() => import('./pages/balances/start.tsx'), 'BalancesStart'),
})

const balancesOf = createRoute({
  getParentRoute: () => company,
  path: '/balances/$document',
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import('./pages/balances/page.tsx'), 'BalancesPage'),
})

const voucher = createRoute({
  getParentRoute: () => company,
  path: '/voucher/$document/$number',
  component: lazyRouteComponent(() => import('./pages/voucher/page.tsx'), 'VoucherPage'),
})

const query = createRoute({
  getParentRoute: () => company,
  path: '/query',
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import('./pages/query/page.tsx'), 'QueryPage'),
})

const record = createRoute({
  getParentRoute: () => company,
  path: '/record/$document/$key',
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import('./pages/record/page.tsx'), 'RecordPage'),
})

const edit = createRoute({
  getParentRoute: () => company,
  path: '/record/$document/$key/edit',
  component: lazyRouteComponent(() => import('./pages/edit/page.tsx'), 'EditPage'),
})

const reference = createRoute({
  getParentRoute: () => company,
  path: '/reference',
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import('./pages/reference/page.tsx'), 'ReferencePage'),
})

const newRecord = createRoute({
  getParentRoute: () => company,
  path: '/new/$document',
  component: lazyRouteComponent(() => import('./pages/new/page.tsx'), 'NewPage'),
})

const importRows = createRoute({
  getParentRoute: () => company,
  path: '/import/$document',
  component: lazyRouteComponent(() => import('./pages/import/page.tsx'), 'ImportPage'),
})

const changeRows = createRoute({
  getParentRoute: () => company,
  path: '/change/$document',
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import('./pages/change/page.tsx'), 'ChangePage'),
})

const documents = createRoute({
  getParentRoute: () => company,
  path: '/documents',
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import('./pages/documents/page.tsx'), 'DocumentsPage'),
})

const document = createRoute({
  getParentRoute: () => company,
  path: '/documents/$id',
  validateSearch: anySearch,
  component: lazyRouteComponent(() => import('./pages/document/page.tsx'), 'DocumentPage'),
})

const integrations = createRoute({
  getParentRoute: () => company,
  path: '/integrations',
  component: lazyRouteComponent(() => import('./pages/integrations/page.tsx'), 'IntegrationsPage'),
})

const mirror = createRoute({
  getParentRoute: () => company,
  path: '/mirror',
  component: lazyRouteComponent(() => import('./pages/mirror/page.tsx'), 'MirrorPage'),
})

const misfits = createRoute({
  getParentRoute: () => company,
  path: '/mirror/$document',
  component: lazyRouteComponent(() => import('./pages/mirror/misfits.tsx'), 'MisfitsPage'),
})

/** Within the frame of all pages, so that there is a way on. */
const unknown = createRoute({ getParentRoute: () => company, path: '$', component: NotFound })

const ofCompany = company.addChildren([
  home,
  grid,
  balances,
  balancesOf,
  voucher,
  importRows,
  changeRows,
  query,
  record,
  edit,
  documents,
  document,
  integrations,
  mirror,
  misfits,
  newRecord,
  reference,
  unknown,
])
const tree = root.addChildren([signIn, signedIn.addChildren([start, account, service, ofCompany])])

export function routerWith(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: import.meta.env.BASE_URL.replace(/\/$/, ''),
    context: { queries },
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: ProblemPage,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof routerWith>
  }
}
