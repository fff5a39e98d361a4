// What a page offers to whoever presses a letter, or types into the search: its buttons, links and fields say it themselves.

interface Command {
  readonly 'data-command': string
  readonly title?: string
  readonly 'aria-keyshortcuts'?: string
}

/** The attributes of what the search offers by its title, and a letter presses: its tooltip tells the letter. */
export function command(title: string, letter?: 'e' | 'f' | 'n'): Command {
  if (letter === undefined) return { 'data-command': title }
  const key = letter.toUpperCase()
  return { 'data-command': title, title: `${title} (${key})`, 'aria-keyshortcuts': key }
}

export interface ShownCommand {
  readonly title: string
  /** In upper case; absent where it has none. */
  readonly key: string | undefined
  readonly run: () => void
}

/** What can be done on the page that is shown. Of several that are called the same, nobody could tell which is meant. */
export function shownCommands(): readonly ShownCommand[] {
  const all = [...document.querySelectorAll<HTMLElement>('#content [data-command]')].filter(
    (one) => one.checkVisibility() && !one.matches(':disabled'),
  )
  const byTitle = Map.groupBy(all, ({ dataset }) => dataset.command ?? '')
  return [...byTitle].flatMap(([title, [one, ...others]]) => {
    if (!one || others.length > 0) return []
    const [key] = /^[A-Z]$/.exec(one.getAttribute('aria-keyshortcuts') ?? '') ?? []
    return [{ title, key, run: () => (one.matches('input') ? one.focus() : one.click()) }]
  })
}
