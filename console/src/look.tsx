import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { nonce } from './service/nonce.ts'
import { useAccent } from './service/session.ts'
import { themeWith } from './theme.ts'

/** The colours of the company in the address, in light or dark. */
export function Look({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider theme={themeWith(useAccent())} defaultColorScheme="auto" getStyleNonce={nonce}>
      {children}
    </MantineProvider>
  )
}
