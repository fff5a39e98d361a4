import type { Base, Kind } from '../kind.ts'
import { attributeRelationsBase, attributesBase, attributeValuesBase } from './attribute-values.ts'
import { customersBase } from './customers.ts'
import { documentsBase } from './documents.ts'
import { ledgerBase } from './ledger.ts'
import {
  companiesBase,
  currencyRatesBase,
  purchaseOrdersBase,
  stockLevelsBase,
  timeSheetsBase,
  valueListBase,
} from './others.ts'
import type { World } from './world.ts'

const BASES: Readonly<Record<string, (world: World, zone: 'Z' | '') => Base>> = {
  'attribute-relations': attributeRelationsBase,
  'attribute-values': attributeValuesBase,
  attributes: attributesBase,
  companies: companiesBase,
  'currency-rates': currencyRatesBase,
  customers: customersBase,
  'document-archive': documentsBase,
  'general-ledger-transactions': ledgerBase,
  'purchase-orders': purchaseOrdersBase,
  'stock-levels': stockLevelsBase,
  'time-sheets': timeSheetsBase,
  'value-list': valueListBase,
}

export function baseOf(kind: Kind, world: World): Base {
  return BASES[kind.name]!(world, kind.zone)
}
