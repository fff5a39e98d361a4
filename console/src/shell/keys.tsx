import { Checkbox, Table } from '@mantine/core'
import { Sheet } from '../parts/sheet.tsx'
import { chooseLetters, hasLetters } from '../service/preferences.ts'
import { t } from '../words/words.ts'

/** Each as it is pressed: letters one after another, or keys together. */
const KEYS: readonly (readonly [string, () => string])[] = [
  ['/', () => t('Search')],
  ['Ctrl K', () => t('Search')],
  ['g h', () => t('To the first page')],
  ['g q', () => t('Ask a question')],
  ['g d', () => t('To the documents')],
  ['n', () => t('New')],
  ['e', () => t('Edit')],
  ['f', () => t('Add filter')],
  ['?', () => t('This list')],
  ['Ctrl S', () => t('Save')],
  ['Enter', () => t('Change the cell, or open the record')],
  ['\u2190 \u2191 \u2193 \u2192', () => t('From cell to cell')],
  ['Space', () => t('Mark the row')],
  ['Shift \u2191 \u2193', () => t('Mark further rows')],
  ['Ctrl C', () => t('Copy the cell, or the marked rows')],
  ['Ctrl Z', () => t('Take back what was typed into a line, or saved last')],
  ['Esc', () => t('Close, or leave the grid')],
]

export default function Keys({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet title={t('Keys')} isOpen onClose={onClose}>
      <Checkbox
        size="sm"
        mb="sm"
        label={t('Letters and signs are keys')}
        description={t('Without, Ctrl K opens the search, and the account menu this list.')}
        defaultChecked={hasLetters()}
        onChange={({ currentTarget }) => chooseLetters(currentTarget.checked)}
      />
      <Table>
        <Table.Tbody>
          {KEYS.map(([keys, does]) => (
            <Table.Tr key={keys}>
              <Table.Th scope="row" w="9rem">
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </Table.Th>
              <Table.Td>{does()}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Sheet>
  )
}
