// The icons of the console: lines on a grid of 24 by 24. They say nothing that a text beside them does not say.
import classes from './icon.module.css'

const PATHS = {
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5a7.5 7.5 0 0 1 15 0',
  archive: 'M4 4h16v4.5H4zM5.5 8.5V20h13V8.5M10 12.5h4',
  badge: 'M5 5h14v16H5zM9.5 5V2.5h5V5M12 14a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6M8 18.5a4 4 0 0 1 8 0',
  book: 'M5 4.5A1.5 1.5 0 0 1 6.5 3H19v18H6.5A1.5 1.5 0 0 1 5 19.5zM5 17.5h14M9 7h6',
  box: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  braces:
    'M9 4c-2.5 0-3 1-3 3v2.5c0 1.5-1 2.5-2.5 2.5C5 12 6 13 6 14.5V17c0 2 .5 3 3 3M15 4c2.5 0 3 1 3 3v2.5c0 1.5 1 2.5 2.5 2.5-1.5 0-2.5 1-2.5 2.5V17c0 2-.5 3-3 3',
  cart: 'M3 4h2.5l2 11h10l2-8H6.2M9 20h.01M16.5 20h.01',
  clipboard: 'M9 5H6v16h12V5h-3M9 3h6v4H9zM9 13.5l2.2 2.2 4-4.2',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3.5 2',
  coins:
    'M9 13a6 3 0 1 0 0-6 6 3 0 0 0 0 6M3 10v5c0 1.7 2.7 3 6 3M15 10.5c3.4 0 6 1.2 6 2.8s-2.7 3-6 3-6-1.4-6-3M9 13.5v4.5c0 1.7 2.7 3 6 3s6-1.3 6-3v-4.7',
  company: 'M5 21V5l8-2v18M13 9l6 1.5V21M3 21h18M8 8h2M8 12h2M8 16h2',
  contract: 'M6 3h8l4 4v14H6zM14 3v4h4M9 11h5M9 17.5c1-2.4 2.2-2.4 2.5-1s1.6 1.2 3.5-.5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  customers:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.3a6.5 6.5 0 0 1 3.5 5.7',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  empty: 'M3.5 13l3-8h11l3 8v6h-17zM3.5 13H9l1 2.5h4l1-2.5h5.5',
  fold: 'M6 9.5l6 6 6-6',
  folder:
    'M3 6.5A1.5 1.5 0 0 1 4.5 5H9l2 2.5h8.5A1.5 1.5 0 0 1 21 9v8.5a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5z',
  home: 'M4 11l8-7 8 7v9h-5.5v-6h-5v6H4z',
  language:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M3.5 9.5h17M3.5 14.5h17M12 3c-5.3 5.6-5.3 12.4 0 18M12 3c5.3 5.6 5.3 12.4 0 18',
  ledger: 'M4 4h16v16H4zM4 9h16M12 9v11M7 6.5h3',
  lines: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  mirror: 'M4 8h13l-3.5-3.5M20 16H7l3.5 3.5',
  more: 'M5 11.5v1M12 11.5v1M19 11.5v1',
  pencil: 'M4 20l1-4.5L16.5 4l3.5 3.5L8.5 19zM13.5 7l3.5 3.5',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  plus: 'M12 5v14M5 12h14',
  question: 'M4 5h16v12h-8l-4 4v-4H4zM9.8 9.5a2.2 2.2 0 1 1 2.8 2.1c-.4.2-.6.5-.6.9M12 14.6h.01',
  receipt: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5l5 5',
  server: 'M4 4h16v6H4zM4 14h16v6H4zM7.5 7h.01M7.5 17h.01',
  star: 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9-4.3-4.1 5.9-.8z',
  sum: 'M17.5 8V5h-11l6 7-6 7h11v-3',
  table: 'M4 5h16v14H4zM4 10h16M9.5 10v9',
  tag: 'M4 4h7l9 9-7 7-9-9zM8 8h.01',
  truck: 'M3 6h11v11H3zM14 10h4l3 3.5V17h-7M7 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4M17 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.2h.01',
  wrench: 'M19.8 7l-3 3L14 7.2l3-3a4.6 4.6 0 0 0-6 6L4.2 17a2 2 0 0 0 2.8 2.8l6.8-6.8a4.6 4.6 0 0 0 6-6z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg className={classes.icon} data-name={name} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** What a kind of records is about, by the words of its name: what is done before with whom. */
const ICONS: readonly (readonly [RegExp, IconName])[] = [
  [/lines?$/, 'lines'],
  [/invoice|receipt|bill/, 'receipt'],
  [/request|requisition|application/, 'clipboard'],
  [/work|service|task|project/, 'wrench'],
  [/contract|agreement/, 'contract'],
  [/archive/, 'archive'],
  [/customer|debtor/, 'customers'],
  [/employee|person|people|contact/, 'badge'],
  [/supplier|vendor|creditor|deliver/, 'truck'],
  [/ledger|voucher|transaction|balance/, 'ledger'],
  [/order|purchase/, 'cart'],
  [/rate|price|currenc/, 'coins'],
  [/document|file/, 'folder'],
  [/item|product|stock|asset/, 'box'],
  [/compan/, 'company'],
  [/audit|log|change/, 'clock'],
  [/attribute|value|code/, 'tag'],
]

export const iconOf = (document: string): IconName => ICONS.find(([words]) => words.test(document))?.[1] ?? 'table'

/** The mark: two arches under an architrave, as those of the Tabularium in Rome, and as columns below a heading. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg className={classes.mark} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="5.5" />
      <path d="M4.5 6.5h15M5.5 19v-5.5a3.25 3.25 0 0 1 6.5 0V19M12 13.5a3.25 3.25 0 0 1 6.5 0V19" />
    </svg>
  )
}
