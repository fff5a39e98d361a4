// Finds a record or a page by what is typed. The names of customers and suppliers are asked for at the service.
import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { filter } from '#client'
import { useDocuments } from '../service/metadata.ts'
import { recordKeyText } from '../service/record-key.ts'
import { useCompany, useMay, useService } from '../service/session.ts'
import { t } from '../words/words.ts'

const PAUSE_MS = 150
const OFFERED = 6

interface Found {
  readonly label: string
  readonly document: string
  readonly key?: string
}

export default function QuickFind() {
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const { id: company } = useCompany()
  const navigate = useNavigate()
  const found = useFound(text)
  const open = (label: string) => {
    const one = found.find((other) => other.label === label)
    setTyped('')
    if (one?.key !== undefined) {
      void navigate({
        to: '/$company/record/$document/$key',
        params: { company, document: one.document, key: one.key },
      })
    } else if (one) void navigate({ to: '/$company/grid/$document', params: { company, document: one.document } })
  }
  return (
    <Autocomplete
      id="quick-find"
      aria-label={t('Find a record')}
      placeholder={t('Find  /')}
      size="xs"
      w={200}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={open}
      data={[...new Set(found.map(({ label }) => label))]}
      filter={({ options }) => options}
      comboboxProps={{ width: 320, position: 'bottom-end', withinPortal: false }}
    />
  )
}

function useFound(text: string): readonly Found[] {
  const { id: company } = useCompany()
  const may = useMay()
  const service = useService()
  const { data: documents = [] } = useDocuments()
  const { data: customers = [] } = useQuery({
    queryKey: [company, 'find', text],
    enabled: text !== '' && may('objects:read/customers'),
    queryFn: async ({ signal }): Promise<Found[]> => {
      const rows = await service.objects.customers?.list({
        select: 'customerId,customerName',
        filter: filter`startswith(customerId,${text}) or contains(customerName,${text})`,
        limit: OFFERED,
        signal,
      })
      return (rows ?? []).map(({ customerId, customerName }) => ({
        label: `${customerId} ${customerName}`,
        document: 'customers',
        key: recordKeyText([String(customerId)]),
      }))
    },
  })
  const wanted = text.toLowerCase()
  const pages = documents
    .filter(({ title }) => wanted !== '' && title.toLowerCase().includes(wanted))
    .map(({ name, title }): Found => ({ label: title, document: name }))
  return [...pages, ...customers]
}
