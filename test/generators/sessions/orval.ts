// The tutorial's calls with the client that orval makes; the address of the service is in it.
import {
  createAttributeValue,
  createCustomer,
  createSuppliersRecord,
  createToken,
  listAttributeValues,
  listDocuments,
  listObjectCustomers,
  listObjectDocumentArchive,
  listObjectGeneralLedgerTransactions,
  readAttributeValue,
  readDocumentContent,
  readExchangeRatesRecord,
  updateAttributeValue,
} from '../made/orval.js'
import type { Options, Session } from './session.js'

export async function session({ newValue, newSupplier }: Options): Promise<Session> {
  const token = await createToken({
    grant_type: 'client_credentials',
    client_id: 'demo',
    client_secret: 'demo-secret',
  })
  if (token.status !== 200) throw new Error(`no token: ${token.status}`)
  const authorization = { Authorization: `Bearer ${token.data.access_token}` }
  const reading = { headers: authorization }
  const sending = { headers: { ...authorization, 'Content-Type': 'application/json' } }

  const costCentres = await listAttributeValues(
    'C1',
    { $filter: "contains(description,'sales')", $select: 'attributeValue,description', $limit: 2 },
    reading,
  )
  const ledger = await listObjectGeneralLedgerTransactions(
    {
      posted: true,
      $filter: 'period eq 202606 and amounts/amount gt 400000',
      $orderby: 'amounts/amount desc',
      $select: 'transactionNumber,transactionDate,amounts(amount),accountingInformation(account[C;T])',
      $limit: 2,
    },
    reading,
  )
  const costCentre = await readAttributeValue('C1', '1000', 0, {}, reading)
  const created = await createAttributeValue(
    { attributeId: 'C1', attributeValue: newValue, description: 'Oslo, rental' },
    {},
    sending,
  )
  const refused = await createAttributeValue(
    { attributeId: 'C1', attributeValue: 'no blanks', owner: '999' },
    {},
    sending,
  )
  const changed = await updateAttributeValue(
    'C1',
    newValue,
    0,
    [
      { op: 'replace', path: '/description', value: 'Oslo, rental and service' },
      {
        op: 'add',
        path: '/relatedValues/-',
        value: { relationId: 'CCDEPT', relatedValue: '100', percentage: 100 },
      },
    ],
    {},
    sending,
  )
  const supplier = await createSuppliersRecord(
    {
      supplierId: newSupplier,
      supplierName: 'Elvebredd Hydraulikk AS',
      supplierGroupId: 'GOODS',
      countryCode: 'NO',
      parentSupplierId: '20008',
      payment: { paymentTermsId: '30', currencyCode: 'NOK' },
      contactPoints: [{ contactPointType: '1', address: { place: 'Bergen', countryCode: 'NO' } }],
    },
    {},
    sending,
  )
  const debts = await listObjectGeneralLedgerTransactions(
    {
      posted: true,
      $filter: "period eq 202606 and supplier/countryCode eq 'DE'",
      $orderby: 'amounts/amount',
      $select: 'transactionNumber,supplier(supplierId,supplierName),amounts(currencyAmount,currencyCode)',
      $limit: 2,
    },
    reading,
  )
  const rate = await readExchangeRatesRecord('EUR', 'C', '2026-10-31', {}, reading)
  const contracts = await listObjectDocumentArchive(
    { $filter: "docType eq 'CONTRACT'", $orderby: 'title', $select: 'title,fileName,docSize', $limit: 2 },
    reading,
  )
  const found = await listDocuments({ search: 'lease bergen', limit: 1 }, reading)
  if (found.status !== 200) throw new Error(`no documents: ${found.status}`)
  const content = await readDocumentContent(found.data.items[0]?.id ?? '', {}, reading)
  if (content.status !== 200) throw new Error(`no content: ${content.status}`)

  const customer = await createCustomer(
    {
      customerName: 'Lyngheim orval',
      customerGroupId: 'IND',
      countryCode: 'NO',
      contactPoints: [{ contactPointType: '1' }],
      relatedValues: [{ relationId: 'LEGALID', relatedValue: 'NO1' }],
      customFieldGroups: { logistics: { deliveryZone: 'NORTH' } },
    },
    {},
    sending,
  )
  if (customer.status !== 201) throw new Error(`no customer: ${customer.status}`)
  const rows = await listObjectCustomers(
    {
      $filter: `customerId eq '${customer.data.customerId}'`,
      $select: 'customerName,countryCode[C;T],customFieldGroups',
    },
    reading,
  )
  const row = rows.status === 200 ? rows.data[0] : undefined
  return {
    token: token.data.access_token,
    costCentres: costCentres.data,
    ledger: ledger.data,
    costCentre: costCentre.data,
    created: created.data,
    refused: refused.data,
    changed: changed.data,
    supplier: supplier.data,
    debts: debts.data,
    rate: rate.data,
    contracts: contracts.data,
    lease: await content.data.slice(0, 4).text(),
    customer: {
      name: row?.customerName,
      country: row?.['countryCode(description)'],
      zone: row?.customFieldGroups?.logistics?.deliveryZone,
    },
  }
}
