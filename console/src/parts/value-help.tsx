// A field of a form with a code, and which ones are legal where it is not.
import { useDebouncedValue } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useCodeNames, useOffers, type ValueSource } from '../service/legal-values.ts'
import { sentence } from '../words/sentence.tsx'
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
  const { source, value } = rest
  const [code] = useDebouncedValue(value, PAUSE_MS)
  const [names] = useCodeNames([{ source, codes: code === '' ? [] : [code] }])
  const name = code === value ? names?.get(code) : undefined
  return (
    <CodeInput
      {...rest}
      // Its line is there before the name is: what stands below does not move while somebody aims at it.
      description={value === '' ? undefined : <bdi>{name ?? '\u00a0'}</bdi>}
      error={error && <Refusal error={error} source={source} />}
    />
  )
}

const PAUSE_MS = 400

const NAMED = 6

/** What is wrong with a value, and which ones are not. */
function Refusal({ error, source }: { readonly error: ReactNode; readonly source: ValueSource }) {
  const legal = useOffers(source, '', true)
  if (legal.length === 0) return error
  const named = legal.slice(0, NAMED).map(({ code, name }) => (name === '' ? code : `${code} (${name})`))
  return (
    <>
      {error}{' '}
      {sentence('Such as {{values}}', {
        values: <bdi>{legal.length > NAMED ? `${named.join(', ')} …` : named.join(', ')}</bdi>,
      })}
    </>
  )
}
