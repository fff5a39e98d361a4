// A field of a form with a code, and which ones are legal where it is not.
import type { ReactNode } from 'react'
import { useOffers, type ValueSource } from '../service/legal-values.ts'
import { CodeInput } from './code-input.tsx'

interface ValueHelpProps {
  readonly source: ValueSource
  readonly required?: boolean
  readonly label: ReactNode
  readonly value: string
  readonly error: ReactNode
  readonly placeholder?: string | undefined
  readonly onChange: (value: string) => void
}

export function ValueHelp({ error, ...rest }: ValueHelpProps) {
  return <CodeInput {...rest} error={error && <Refusal error={error} source={rest.source} />} />
}

const NAMED = 6

/** What is wrong with a value, and which ones are not. */
function Refusal({ error, source }: { readonly error: ReactNode; readonly source: ValueSource }) {
  const legal = useOffers(source, '', true)
  if (legal.length === 0) return error
  return (
    <>
      {error} Such as{' '}
      <bdi>
        {legal
          .slice(0, NAMED)
          .map(({ code, name }) => (name === '' ? code : `${code} (${name})`))
          .join(', ')}
      </bdi>
      {legal.length > NAMED && ' …'}
    </>
  )
}
