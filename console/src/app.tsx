import './styles.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { Problem } from '#client'
import { Look } from './look.tsx'
import { routerWith } from './routes.tsx'
import { whenSessionEnds } from './service/client.ts'
import { nonce } from './service/nonce.ts'
import { sessionQuery } from './service/session.ts'

/** Refusals stay refusals. */
const mayHelp = (tries: number, error: Error) => tries < 2 && !(error instanceof Problem && error.status < 500)

export function start(root: HTMLElement): void {
  setNonce(nonce())
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: mayHelp, refetchOnWindowFocus: false, staleTime: 10_000 } },
  })
  whenSessionEnds(() => queries.setQueryData(sessionQuery.queryKey, null))
  const router = routerWith(queries)
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} InnerWrap={Look} />
    </QueryClientProvider>,
  )
}
