import { Icon } from '../../parts/icon.tsx'
import { t } from '../../words/words.ts'
import classes from './search.module.css'

/** Looks like an input, and opens one. */
export function SearchButton({ onOpen }: { readonly onOpen: () => void }) {
  return (
    <button
      type="button"
      className={classes.button}
      onClick={onOpen}
      aria-keyshortcuts="/ Control+K"
      title={`${t('Search')} (/)`}
    >
      <Icon name="search" size={16} />
      <span>{t('Search')}</span>
      <kbd>/</kbd>
    </button>
  )
}
