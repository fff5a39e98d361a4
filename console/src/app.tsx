import './styles.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { Problem } from '#client'
import { routerWith } from './routes.tsx'
import { nonce } from './service/base-path.ts'
import { whenSessionEnds } from './service/client.ts'
import { sessionQuery, useAccent } from './service/session.ts'
import { themeWith, variablesOf } from './theme.ts'

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

/** The colours of the company in the address, in light or dark. */
function Look({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={themeWith(useAccent())}
      cssVariablesResolver={variablesOf}
      defaultColorScheme="auto"
      getStyleNonce={nonce}
    >
      {children}
    </MantineProvider>
  )
}
