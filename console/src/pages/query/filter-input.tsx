// A filter that offers what may come next: fields, operators, and the codes that a field may have, with their texts.
import { Autocomplete, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sourceOf, useOffers } from '../../service/legal-values.ts'
import { type DocumentInfo, documentQuery } from '../../service/metadata.ts'
import { useCompany } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { codeSuggestion, completed, nextIn, type Suggestion, suggestionsFor, typedCode } from './suggestions.ts'

interface FilterInputProps {
  readonly document: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Nothing is offered for a document that does not exist: the answer says what is wrong. */
export function FilterInput(props: FilterInputProps) {
  const { data } = useQuery(documentQuery(useCompany().id, props.document))
  return data ? <OfferingFilter {...props} described={data} /> : <PlainFilter {...props} suggestions={new Map()} />
}

function OfferingFilter({ described: document, ...props }: FilterInputProps & { readonly described: DocumentInfo }) {
  const next = nextIn(props.value, document)
  const source = next?.expected === 'value' && next.field ? sourceOf(next.field) : undefined
  const codes = useOffers(source ?? {}, next ? typedCode(next) : '', source !== undefined)
  const offered = source
    ? codes.map(({ code, name }) => codeSuggestion(code, name))
    : next
      ? suggestionsFor(next, document)
      : []
  const suggestions = new Map(next ? offered.map((suggestion) => [completed(next, suggestion), suggestion]) : [])
  return <PlainFilter {...props} suggestions={suggestions} />
}

interface PlainFilterProps extends FilterInputProps {
  /** By the whole text that each would give. */
  readonly suggestions: ReadonlyMap<string, Suggestion>
}

function PlainFilter({ value, onChange, suggestions }: PlainFilterProps) {
  const [isAtEnd, setAtEnd] = useState(true)
  return (
    <Autocomplete
      size="xs"
      label={t('Filter')}
      placeholder={t("contains(NAME,'text') and NAME ge 10")}
      spellCheck={false}
      value={value}
      data={isAtEnd ? [...suggestions.keys()] : []}
      filter={({ options }) => options}
      onChange={onChange}
      onSelect={({ currentTarget: { selectionEnd, value: text } }) => setAtEnd(selectionEnd === text.length)}
      comboboxProps={{ withinPortal: false }}
      maxDropdownHeight={240}
      renderOption={({ option }) => (
        <span>
          <bdi>{suggestions.get(option.value)?.text}</bdi>{' '}
          <Text span inherit c="dimmed">
            <bdi>{suggestions.get(option.value)?.hint}</bdi>
          </Text>
        </span>
      )}
    />
  )
}
