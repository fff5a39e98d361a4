import { Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ScrollBox } from '../../parts/data-table.tsx'
import { FieldTitle } from '../../parts/field-title.tsx'
import { amountPlaces, amountText, FieldValue } from '../../parts/field-value.tsx'
import { useAttributes } from '../../service/dimensions.ts'
import { isNegative, negated, sumOf } from '../../service/exact-sums.ts'
import { type DocumentInfo, type FieldInfo, fieldTitle } from '../../service/metadata.ts'
import { associatedKey, memberAt, valueIn } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { t } from '../../words/words.ts'
import classes from './voucher.module.css'
import { attributeIn, type Line, textIn, totalsOf, type VoucherShape } from './voucher-lines.ts'

interface LinesTableProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly shape: VoucherShape
  readonly lines: readonly Line[]
  readonly hasTotals: boolean
}

/** With more, what stands below them is found by scrolling the lines alone. */
const FEW_LINES = 20

/** A column: what stands in its head, in a line, and below all. */
interface Column {
  readonly key: string
  readonly title: string
  readonly field?: FieldInfo
  readonly look: string | undefined
  readonly cell: (line: Line) => React.ReactNode
  readonly total?: string
}

/** Debit and credit stand in columns of their own; below them are the totals of what is there. */
export function LinesTable({ company, document, shape, lines, hasTotals }: LinesTableProps) {
  const member = (field: FieldInfo): Column => ({
    key: field.path,
    title: fieldTitle(field),
    field,
    look: field.isKey ? classes.key : undefined,
    cell: (line) => <Cell company={company} document={document} line={line} field={field} title={fieldTitle(field)} />,
  })
  const amount = (field: FieldInfo): Column => {
    const texts = lines.map((line) => textIn(line, field))
    const places = amountPlaces(texts)
    return {
      key: field.path,
      title: fieldTitle(field),
      field,
      look: classes.amount,
      cell: (line) => amountText(textIn(line, field), places),
      total: amountText(sumOf(texts), places),
    }
  }
  const { columns, behind, balance, sums } = shape
  const amounts = [...(balance ? debitAndCredit(lines, balance) : []), ...sums.map(amount)]
  const further = behind.map((field): Column => ({ ...member(field), look: classes.behind }))
  const all = [...columns.map(member), ...amounts, ...further]
  const title = t('Lines')
  return (
    <ScrollBox label={title} {...(lines.length > FEW_LINES && { maxHeight: '70dvh' })}>
      <Table fz="sm" stickyHeader className={classes.lines}>
        <Table.Thead>
          <Table.Tr>
            {all.map(({ key, title, look, field }) => (
              <Table.Th key={key} className={look}>
                {field ? <FieldTitle title={title} path={field.path} description={field.schema.description} /> : title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of an answer have a place and nothing else
            <Table.Tr key={place}>
              {all.map(({ key, title, look, cell }) => (
                <Table.Td key={key} className={look} data-title={title}>
                  {cell(line)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {hasTotals && amounts.length > 0 && (
          <Table.Tfoot className={classes.foot}>
            <Table.Tr>
              {columns.length > 0 && (
                <Table.Th scope="row" colSpan={columns.length}>
                  {t('Total')}
                </Table.Th>
              )}
              {amounts.map(({ key, title, total }) => (
                <Table.Td key={key} className={classes.amount} data-title={title}>
                  {total}
                </Table.Td>
              ))}
              {behind.length > 0 && <Table.Td colSpan={behind.length} />}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </ScrollBox>
  )
}

/** An amount of zero stands as debit, so that no line is without one. */
function debitAndCredit(lines: readonly Line[], balance: FieldInfo): readonly Column[] {
  const { debit, credit } = totalsOf(lines, balance)
  const look = classes.amount
  const places = amountPlaces(lines.map((line) => textIn(line, balance)))
  const shown = (line: Line, isCredit: boolean) => {
    const amount = textIn(line, balance)
    if (isNegative(amount) !== isCredit) return null
    return amountText(isCredit ? negated(amount) : amount, places)
  }
  return [
    { key: 'debit', title: t('Debit'), look, cell: (line) => shown(line, false), total: amountText(debit, places) },
    { key: 'credit', title: t('Credit'), look, cell: (line) => shown(line, true), total: amountText(credit, places) },
  ]
}

interface CellProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly line: Line
  readonly field: FieldInfo
  readonly title: string
}

/** The number of a line leads to its record; a dimension says what it is where its column has several. */
function Cell({ company, document, line, field, title }: CellProps) {
  const attributes = useAttributes()
  const { association } = field
  const { value, description = '' } = valueIn(line, field)
  if (textIn(line, field) === '') return null
  if (field.isKey) {
    const parts = document.keys.filter((key) => key !== 'companyId')
    const key = recordKeyText(parts.map((part) => String(memberAt(line, part.split('/')) ?? '')))
    return (
      <Link to="/$company/record/$document/$key" params={{ company, document: document.name, key }}>
        {String(value)}
      </Link>
    )
  }
  if (description !== '') {
    const attribute = attributes.get(attributeIn(line, field) ?? '')?.description ?? title
    return (
      <span className={classes.coded} title={description}>
        <bdi>{String(value)}</bdi>
        {attribute !== title && <span className={classes.quiet}> {attribute}</span>}
        <bdi className={classes.meaning}>{description}</bdi>
      </span>
    )
  }
  const shown = <FieldValue value={value} kind={field.kind} />
  const key = association && associatedKey(line, association)
  if (!key) return <span className={classes.words}>{shown}</span>
  const params = { company, document: association.document, key: recordKeyText(key) }
  return (
    <Link to="/$company/record/$document/$key" params={params}>
      {shown}
    </Link>
  )
}
