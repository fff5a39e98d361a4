// Patch rules of the lists that several resources have (decision 2): everything may change except keys and the fields
// of the configured relation.
import type { PatchRule } from '../../../patch/rules.ts'

export const RELATED_VALUE_RULES: readonly PatchRule[] = [
  { path: '/relatedValues' },
  { path: '/relatedValues/-', ops: ['add'] },
  { path: '/relatedValues/*', ops: ['replace', 'remove'] },
  { path: '/relatedValues/*/relatedValue' },
  { path: '/relatedValues/*/percentage' },
  { path: '/relatedValues/*/dateFrom' },
  { path: '/relatedValues/*/dateTo' },
  { path: '/relatedValues/*/unitValue' },
]

export const CONTACT_POINT_RULES: readonly PatchRule[] = [
  { path: '/contactPoints' },
  { path: '/contactPoints/-', ops: ['add'] },
  { path: '/contactPoints/*', ops: ['replace', 'remove'] },
  {
    path: '/contactPoints/*/contactPointType',
    refusal: { code: 3010, message: 'Updating key value ContactPointType is not supported' },
  },
  { path: '/contactPoints/*/**' },
]
