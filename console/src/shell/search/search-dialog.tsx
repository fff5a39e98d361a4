// One search: records of all documents, pages and actions. The service finds records; the rest is known here.
import { CloseButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { SearchResult } from '#client'
import { closedByPage } from '../../parts/closed-by-page.ts'
import { Empty } from '../../parts/empty.tsx'
import { numberText } from '../../parts/field-value.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { useCompany, useMay, useService } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import {
  type Choice,
  type ChoiceGroup,
  commandsHere,
  hitsIn,
  matching,
  useActions,
  usePages,
  useRecent,
} from './choices.ts'
import { HitDetails, HitKey, HitTitle } from './hit-text.tsx'
import classes from './search.module.css'

/** Between the last key and the question. */
const PAUSE_MS = 120
/** As many as the service takes. */
const LONGEST = 100
const PAGES_SHOWN = 6

export default function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    dialog.current?.showModal()
    return () => (before instanceof HTMLElement && before.isConnected ? before.focus() : undefined)
  }, [before])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-label={t('Search')}
      {...closedByPage(onClose)}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <Search close={onClose} />
    </dialog>
  )
}

function Search({ close }: { readonly close: () => void }) {
  const [typed, setTyped] = useState('')
  const wanted = typed.trim()
  const { data, error, isSettled, retry } = useFound(wanted)
  const groups = useGroups(wanted, wanted === '' ? undefined : data)
  const choices = groups.flatMap((group) => group.choices)
  const [chosen, setChosen] = useState('')
  const active = choices.find(({ id }) => id === chosen) ?? choices[0]
  const listId = useId()
  const optionId = (choice: Choice) => `${listId} ${choice.id}`.replaceAll(/\s/g, '-')
  const activeId = active && optionId(active)
  // Who presses Enter right after the last letter means what will be found.
  const [isEntered, setEntered] = useState(false)
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  useEffect(() => {
    if (!isEntered || !isSettled) return
    setEntered(false)
    if (activeId !== undefined) document.getElementById(activeId)?.click()
  }, [isEntered, isSettled, activeId])
  const type = (text: string) => {
    setTyped(text)
    setChosen('')
    setEntered(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') setEntered(true)
    if (step === 0 && event.key !== 'Enter') return
    event.preventDefault()
    const at = choices.findIndex(({ id }) => id === active?.id)
    const next = step === 0 ? undefined : choices.at((at + step) % choices.length)
    if (next) setChosen(next.id)
  }
  const isNothing = wanted !== '' && isSettled && choices.length === 0 && !error
  return (
    <>
      <div className={classes.head}>
        <Icon name="search" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog is there to be typed into
          autoFocus
          className={classes.input}
          role="combobox"
          aria-label={t('Search')}
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-activedescendant={activeId}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={LONGEST}
          placeholder={t('Names, numbers, amounts, dates, pages')}
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <CloseButton className={classes.close ?? ''} aria-label={t('Close')} onClick={close} />
      </div>
      <div id={listId} role="listbox" aria-label={t('Found')} className={classes.list}>
        {groups.map(({ title, choices: offered }, at) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
          <div key={title} role="group" aria-labelledby={`${listId}-${at}`}>
            <p id={`${listId}-${at}`} className={classes.heading}>
              {title}
            </p>
            {offered.map((choice) => (
              <Option
                key={choice.id}
                id={optionId(choice)}
                choice={choice}
                isActive={choice === active}
                onPoint={() => setChosen(choice.id)}
                onOpen={close}
              />
            ))}
          </div>
        ))}
      </div>
      {error && <ProblemNote error={error} onRetry={retry} />}
      {isNothing && (
        <Empty icon="search" title={t('Nothing is found for {{text}}', { text: wanted })}>
          {t('Fewer letters find more. An amount or a date is written as you read it.')}
        </Empty>
      )}
      {wanted !== '' && data && <NotToTheEnd unfinished={data.unfinished} />}
      <div className={classes.foot}>
        <span role="status">{isSettled ? t('{{count}} results', { count: choices.length }) : t('Searching')}</span>
        <span className={classes.hints} aria-hidden="true">
          <kbd>{'\u2191'}</kbd> <kbd>{'\u2193'}</kbd> <kbd>Enter</kbd> {t('Open')} <kbd>Esc</kbd> {t('Close')}
        </span>
      </div>
    </>
  )
}

interface OptionProps {
  readonly id: string
  readonly choice: Choice
  readonly isActive: boolean
  readonly onPoint: () => void
  readonly onOpen: () => void
}

function Option({
  id,
  choice: { icon, title, to, hit, key, isNumbered = false },
  isActive,
  onPoint,
  onOpen,
}: OptionProps) {
  const content = (
    <>
      <Icon name={icon} />
      <span className={classes.text}>
        <span className={classes.title}>{hit ? <HitTitle hit={hit} /> : <bdi>{title}</bdi>}</span>
        {hit && <HitDetails hit={hit} />}
      </span>
      {hit && isNumbered && <HitKey hit={hit} />}
      {key !== undefined && (
        <span aria-hidden="true">
          <kbd>{key}</kbd>
        </span>
      )}
    </>
  )
  const common = {
    id,
    role: 'option',
    tabIndex: -1,
    'aria-selected': isActive,
    'aria-keyshortcuts': key,
    className: classes.option ?? '',
    onPointerMove: onPoint,
  }
  if (typeof to !== 'function') {
    return (
      <Link {...to} {...common} preload={false} onClick={onOpen}>
        {content}
      </Link>
    )
  }
  return (
    <button
      {...common}
      type="button"
      onClick={() => {
        onOpen()
        to()
      }}
    >
      {content}
    </button>
  )
}

function NotToTheEnd({ unfinished }: Pick<SearchResult, 'unfinished'>) {
  if (unfinished.length === 0) return null
  return (
    <ul className={classes.unfinished}>
      {unfinished.map(({ document, title, lookedAt }) => (
        <li key={document}>
          {lookedAt === undefined
            ? t('{{document}} could not be searched in time.', { document: title })
            : t('{{document}}: the last {{number}} were searched through, and all of them by number.', {
                document: title,
                number: numberText(String(lookedAt)),
              })}
        </li>
      ))}
    </ul>
  )
}

function useFound(wanted: string) {
  const { id: company } = useCompany()
  const service = useService()
  const may = useMay()
  const [text] = useDebouncedValue(wanted, PAUSE_MS)
  const isAsked = text !== '' && may('objects:read')
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey: [company, 'search', text],
    enabled: isAsked,
    queryFn: ({ signal }) => service.search(text, { signal }),
    placeholderData: keepPreviousData,
  })
  const isSettled = text === wanted && (!isAsked || (!isFetching && !isPlaceholderData))
  return { data: isAsked ? data : undefined, error: isAsked ? error : null, isSettled, retry: () => void refetch() }
}

/** While nothing is typed, what was opened last; pages that begin with the text stand before records. */
function useGroups(wanted: string, found: SearchResult | undefined): readonly ChoiceGroup[] {
  const { id: company } = useCompany()
  const [commands] = useState(commandsHere)
  const titles = new Set(commands.map(({ title }) => title))
  const [recent, pages] = [useRecent(), usePages()]
  const actions = useActions().filter(({ title }) => !titles.has(title))
  if (wanted === '') {
    return nonEmpty([
      { title: t('Opened last'), choices: recent },
      { title: t('On this page'), choices: commands },
      { title: t('Pages'), choices: pages.slice(0, PAGES_SHOWN) },
    ])
  }
  const offered = [...matching(commands, wanted), ...matching(pages, wanted), ...matching(actions, wanted)]
  const isFirst = ({ title }: Choice) => title.toLowerCase().startsWith(wanted.toLowerCase())
  // The shortest has least beside what is wanted: a purchase order before its lines.
  const first = offered.filter(isFirst).toSorted((one, other) => one.title.length - other.title.length)
  const records = (found?.groups ?? []).map((group) => hitsIn(company, group, wanted))
  return nonEmpty([
    { title: t('Pages and actions'), choices: first.slice(0, PAGES_SHOWN) },
    ...records,
    { title: t('Further pages and actions'), choices: offered.filter((one) => !isFirst(one)).slice(0, PAGES_SHOWN) },
  ])
}

function nonEmpty(groups: readonly ChoiceGroup[]): readonly ChoiceGroup[] {
  return groups.filter(({ choices }) => choices.length > 0)
}
