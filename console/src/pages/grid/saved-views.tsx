// Views by name: the person's own, or shared within the company. A view is its address: whoever is sent that sees the
// same.
import { Button, Checkbox, CloseButton, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { CopyButton } from '../../parts/copy-button.tsx'
import type { DocumentInfo } from '../../service/metadata.ts'
import { useSession } from '../../service/session.ts'
import { membersIn, type Settings, useSettings } from '../../service/settings.ts'
import { t } from '../../words/words.ts'
import { firstColumns } from '../balances/axes.ts'
import { useSharedViews } from './shared-views.ts'
import { searchOf, type View } from './view.ts'

const ShowOnHome = lazy(() => import('./show-on-home.tsx'))

interface SavedViewsProps {
  readonly company: string
  readonly info: DocumentInfo
  readonly view: View
  readonly onReset: () => void
}

type Saved = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export function SavedViews({ company, info, view, onReset }: SavedViewsProps) {
  const { name: document } = info
  const [settings, changeSettings] = useSettings()
  const views = viewsIn(settings, document)
  const [name, setName] = useState('')
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const shown = JSON.stringify(searchOf(view))
  const keep = (name: string, search: Saved[string] | undefined) =>
    changeSettings((before) => {
      const own = { ...viewsIn(before, document), [name]: search }
      return { ...before, views: { ...membersIn(before.views), [document]: own } }
    })
  const shared = useSharedViews(company, document)
  const [isShared, setShared] = useState(false)
  const [isFigure, setFigure] = useState<boolean>()
  const { actingAs } = useSession()
  const summed = view.sums ?? info.record['x-erp-sums'] ?? []
  const showOnHome = () => {
    setOpen(false)
    setFigure(true)
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    const given = name.trim()
    if (given === '') return
    if (isShared) shared.share?.({ name: given, view: String(new URLSearchParams(searchOf(view))) })
    else keep(given, searchOf(view))
    setName('')
  }
  const show = (search: Saved[string]) => {
    setOpen(false)
    void navigate({ to: '.', search: search as never })
  }
  const all = () => {
    setOpen(false)
    onReset()
  }
  const remove = (one: string) => keep(one, undefined)
  return (
    <>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal={false} trapFocus returnFocus>
        <Popover.Target>
          <Button variant="default" onClick={() => setOpen(!isOpen)}>
            {t('Views')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap="xs" w={260}>
            <ViewButton name={t('All rows')} isShown={shown === '{}'} onShow={all} />
            {Object.entries(views).map(([saved, search]) => (
              <ViewLine key={saved} {...{ shown, search }} name={saved} onShow={show} onRemove={remove} />
            ))}
            {shared.views.length > 0 && (
              <Text size="xs" fw={600} mt={4}>
                {t('Shared within the company')}
              </Text>
            )}
            {shared.views.map(({ name: saved, view: text }) => (
              <ViewLine
                key={saved}
                {...{ shown, search: searchIn(text) }}
                name={saved}
                onShow={show}
                onRemove={shared.remove}
              />
            ))}
            <form onSubmit={add}>
              <TextInput
                mt={4}
                label={t('Save this view as')}
                description={t('Columns, widths, order, filter and sums. The same name replaces it.')}
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
              {shared.share && (
                <Checkbox
                  mt={6}
                  label={t('Share it within the company')}
                  checked={isShared}
                  onChange={({ currentTarget }) => setShared(currentTarget.checked)}
                />
              )}
              <Button type="submit" variant="default" mt={6} fullWidth disabled={name.trim() === ''}>
                {t('Save')}
              </Button>
            </form>
            {actingAs === undefined && (
              <Button variant="default" onClick={showOnHome}>
                {t('Show on Home')}
              </Button>
            )}
            <CopyButton text={() => location.href}>{t('Copy its address')}</CopyButton>
            <Text size="xs" c="dimmed">
              {t('Whoever opens the address and may read the rows sees the same view.')}
            </Text>
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {isFigure !== undefined && (
        <Suspense>
          <ShowOnHome
            document={info}
            filter={view.filter}
            sums={summed.flatMap((path) => info.fields.find((field) => field.path === path) ?? [])}
            period={firstColumns(info)}
            isOpen={isFigure}
            onClose={() => setFigure(false)}
          />
        </Suspense>
      )}
    </>
  )
}

interface ViewLineProps {
  readonly name: string
  readonly search: Saved[string]
  /** What is shown now. */
  readonly shown: string
  readonly onShow: (search: Saved[string]) => void
  readonly onRemove: ((name: string) => void) | undefined
}

function ViewLine({ name, search, shown, onShow, onRemove }: ViewLineProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <ViewButton name={name} isShown={JSON.stringify(search) === shown} onShow={() => onShow(search)} />
      {onRemove && (
        <CloseButton
          size={24}
          iconSize={14}
          aria-label={t('Remove {{value}}', { value: name })}
          onClick={() => onRemove(name)}
        />
      )}
    </Group>
  )
}

interface ViewButtonProps {
  readonly name: string
  readonly isShown: boolean
  readonly onShow: () => void
}

function ViewButton({ name, isShown, onShow }: ViewButtonProps) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      justify="space-between"
      flex={1}
      miw={0}
      aria-current={isShown || undefined}
      rightSection={isShown && '✓'}
      onClick={onShow}
    >
      <bdi>{name}</bdi>
    </Button>
  )
}

const searchIn = (text: string): Saved[string] => Object.fromEntries(new URLSearchParams(text))

/** What the person calls what is shown; undefined unless it is a view by name. */
export function useViewName(document: string, view: View): string | undefined {
  const [settings] = useSettings()
  const shown = JSON.stringify(searchOf(view))
  return Object.entries(viewsIn(settings, document)).find(([, search]) => JSON.stringify(search) === shown)?.[0]
}

const viewsIn = (settings: Settings, document: string): Saved =>
  Object.fromEntries(
    Object.entries(membersIn(membersIn(settings.views)[document])).flatMap(([name, search]) =>
      search === undefined ? [] : [[name, membersIn(search)]],
    ),
  )
