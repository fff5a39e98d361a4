// The value of a member of a record, with what its code means; that of a reference leads to the other record.
import { Link } from '@tanstack/react-router'
import { FieldValue } from '../../parts/field-value.tsx'
import { useCodeNames } from '../../service/legal-values.ts'
import type { FieldInfo } from '../../service/metadata.ts'
import { associatedKey, valueIn } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { useCompany } from '../../service/session.ts'
import type { Row } from '../grid/rows.ts'

interface MemberValueProps {
  readonly field: FieldInfo
  readonly row: Row
  /** Whether a member of an associated record leads to it: not where the record's own heading does. */
  readonly leadsToAssociated?: boolean
}

export function MemberValue({ field, row, leadsToAssociated = false }: MemberValueProps) {
  const { id: company } = useCompany()
  const { value, description } = valueIn(row, field)
  const code = String(value ?? '')
  const reference = code === '' ? undefined : field.schema['x-erp-reference']
  const [names] = useCodeNames(reference && description === undefined ? [{ source: { reference }, codes: [code] }] : [])
  const shown = (
    <FieldValue
      value={value}
      kind={field.kind}
      states={field.states}
      titles={field.schema['x-erp-codeTitles']}
      description={description ?? names?.get(code)}
    />
  )
  const { association } = field
  const associated = leadsToAssociated && association && associatedKey(row, association)
  const target = associated
    ? { document: association.document, key: recordKeyText(associated) }
    : reference && { document: reference.document, key: recordKeyText([code]) }
  if (!target) return shown
  return (
    <Link to="/$company/record/$document/$key" params={{ company, ...target }}>
      {shown}
    </Link>
  )
}
