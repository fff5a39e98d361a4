// A code, with what it may be: of a value list, or of the values of an attribute. Others may be typed; the service judges.
import { Autocomplete, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { filter } from '#client'
import { useCompany, useService } from '../service/session.ts'

const OFFERED = 20
const PAUSE_MS = 200

/** Where the legal values stand: one of both. */
export interface ValueSource {
  /** Name of a value list. */
  readonly list?: string | undefined
  readonly attributeId?: string | undefined
}

interface ValueHelpProps {
  readonly source: ValueSource
  readonly required?: boolean
  readonly label: ReactNode
  readonly value: string
  readonly error: ReactNode
  readonly onChange: (value: string) => void
}

export function ValueHelp({ source, required = false, label, value, error, onChange }: ValueHelpProps) {
  const [isOpen, setOpen] = useState(false)
  const [hasTyped, setTyped] = useState(false)
  const [typed] = useDebouncedValue(value, PAUSE_MS)
  // Who opens a field that is filled looks for another value.
  const offers = useOffers(source, hasTyped ? typed : '', isOpen)
  const legal = useOffers(source, '', Boolean(error))
  const names = new Map(offers.map(({ code, name }) => [code, name]))
  return (
    <Autocomplete
      size="xs"
      label={label}
      required={required}
      value={value}
      error={error && <Refusal error={error} legal={legal} />}
      data={[...names.keys()]}
      filter={({ options }) => options}
      onChange={(next) => {
        setTyped(true)
        onChange(next)
      }}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setTyped(false)}
      comboboxProps={{ withinPortal: false }}
      maxDropdownHeight={240}
      renderOption={({ option }) => (
        <span>
          <bdi>{option.value}</bdi>{' '}
          <Text span inherit c="dimmed">
            <bdi>{names.get(option.value)}</bdi>
          </Text>
        </span>
      )}
    />
  )
}

const NAMED = 6

/** What is wrong with a value, and which ones are not. */
function Refusal({ error, legal }: { readonly error: ReactNode; readonly legal: readonly Offer[] }) {
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

interface Offer {
  readonly code: string
  readonly name: string
}

/** Those that begin with what is typed; while the code is a complete one, all. */
export function useOffers({ list, attributeId }: ValueSource, typed: string, enabled: boolean): readonly Offer[] {
  const { id: company } = useCompany()
  const service = useService()
  const { data = [] } = useQuery({
    queryKey: [company, 'offers', list ?? '', attributeId ?? '', typed],
    enabled,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Offer[]> => {
      if (list !== undefined) {
        const rows = await service.objects['value-list']?.list({
          select: 'description,title',
          filter: filter`name eq ${list} and (startswith(description,${typed}) or contains(title,${typed}))`,
          limit: OFFERED,
          signal,
        })
        return (rows ?? []).map(({ description, title }) => ({ code: String(description), name: String(title) }))
      }
      const rows = await service.valuesOf(attributeId ?? '').list({
        select: 'attributeValue,description',
        filter: filter`startswith(attributeValue,${typed}) or contains(description,${typed})`,
        limit: OFFERED,
        signal,
      })
      return rows.map(({ attributeValue, description }) => ({
        code: String(attributeValue),
        name: String(description),
      }))
    },
  })
  return data
}
