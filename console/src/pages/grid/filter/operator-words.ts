import { t } from '../../../words/words.ts'
import type { Column } from '../list-columns.ts'
import type { Operator } from './conditions.ts'
import { isCoded } from './values.ts'

/** What a condition is called. Codes are always told apart by letter case, so there it is not said. */
export function operatorText(operator: Operator, column: Column): string {
  switch (operator) {
    case 'is':
      return t('is')
    case 'isNot':
      return t('is not')
    case 'oneOf':
      return t('is one of')
    case 'noneOf':
      return t('is none of')
    case 'isEmpty':
      return t('is empty')
    case 'isFilled':
      return t('is not empty')
    case 'contains':
      return t('contains')
    case 'containsNot':
      return t('does not contain')
    case 'startsWith':
      return t('starts with')
    case 'containsExactly':
      return t('contains, in this letter case')
    case 'startsExactly':
      return isCoded(column) ? t('starts with') : t('starts with, in this letter case')
    case 'from':
      return t('from')
    case 'to':
      return t('to')
    case 'between':
      return t('between')
    case 'above':
      return t('more than')
    case 'below':
      return t('less than')
  }
}

/** What a column is called outside of its group. */
export const columnTitle = ({ titles, association, within }: Column): string =>
  titles.slice(association || within ? -2 : -1).join(' / ')
