// Workloads that create and change records. No text is sent twice, so that every change is a real one.
import { customerIdAt, customerRecord } from '../records/customers.ts'
import { Random } from '../records/random.ts'
import type { Scale } from '../records/scale.ts'
import { projectAt, projectRecord } from '../records/values.ts'
import { RUN, type Workload, writing } from './workload.ts'

const replace = (path: string, value: string | number) => ({ op: 'replace', path, value })

export function writes({ values, customers }: Scale): Workload[] {
  const random = new Random(77)
  return [
    writing('POST of a value', (no) => {
      const { relatedValues: _, ...record } = projectRecord(no)
      const body = JSON.stringify({ ...record, attributeValue: `${RUN}${no}` })
      return { method: 'POST', path: '/v1/attribute-values', body }
    }),
    writing('PATCH of a value', (no) => ({
      method: 'PATCH',
      path: `/v1/attribute-values/C5/${projectAt(random.whole(values))}/0`,
      body: JSON.stringify([replace('/description', `Change ${no} of the plan ${RUN}`)]),
    })),
    writing('POST of a customer with relation and contact point', (no) => ({
      method: 'POST',
      path: '/v1/customers',
      body: JSON.stringify(customerRecord(`${RUN}${no}`, no)),
    })),
    writing('PATCH of a customer, its relation and contact point', (no) => ({
      method: 'PATCH',
      path: `/v1/customers/${customerIdAt(random.whole(customers))}`,
      body: JSON.stringify([
        replace('/customerName', `Renamed ${no} AS`),
        replace('/contactPoints/0/phoneNumbers/telephone2', `+47 ${no}`),
        replace('/relatedValues/0/percentage', 1 + (no % 99)),
      ]),
    })),
  ]
}
