// The tutorial's calls with the client that @hey-api/openapi-ts makes.
import { client } from '../made/hey-api/client.gen.js'
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
} from '../made/hey-api/index.js'
import type { Options, Session } from './session.js'

export async function session({ address, newValue, newSupplier }: Options): Promise<Session> {
  client.setConfig({ baseUrl: address })
  const { data: token } = await createToken({
    body: { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' },
  })
  client.setConfig({ auth: token?.access_token })

  const { data: costCentres } = await listAttributeValues({
    path: { attributeId: 'C1' },
    query: { $filter: "contains(description,'sales')", $select: 'attributeValue,description', $limit: 2 },
  })
  const { data: ledger } = await listObjectGeneralLedgerTransactions({
    query: {
      posted: true,
      $filter: 'period eq 202606 and amounts/amount gt 400000',
      $orderby: 'amounts/amount desc',
      $select: 'transactionNumber,transactionDate,amounts(amount),accountingInformation(account[C;T])',
      $limit: 2,
    },
  })
  const { data: costCentre } = await readAttributeValue({
    path: { attributeId: 'C1', attributeValue: '1000', periodFrom: 0 },
  })
  const { data: created } = await createAttributeValue({
    body: { attributeId: 'C1', attributeValue: newValue, description: 'Oslo, rental' },
  })
  const { error: refused } = await createAttributeValue({
    body: { attributeId: 'C1', attributeValue: 'no blanks', owner: '999' },
  })
  const { data: changed } = await updateAttributeValue({
    path: { attributeId: 'C1', attributeValue: newValue, periodFrom: 0 },
    body: [
      { op: 'replace', path: '/description', value: 'Oslo, rental and service' },
      {
        op: 'add',
        path: '/relatedValues/-',
        value: { relationId: 'CCDEPT', relatedValue: '100', percentage: 100 },
      },
    ],
  })
  const { data: supplier } = await createSuppliersRecord({
    body: {
      supplierId: newSupplier,
      supplierName: 'Elvebredd Hydraulikk AS',
      supplierGroupId: 'GOODS',
      countryCode: 'NO',
      parentSupplierId: '20008',
      payment: { paymentTermsId: '30', currencyCode: 'NOK' },
      contactPoints: [{ contactPointType: '1', address: { place: 'Bergen', countryCode: 'NO' } }],
    },
  })
  const { data: debts } = await listObjectGeneralLedgerTransactions({
    query: {
      posted: true,
      $filter: "period eq 202606 and supplier/countryCode eq 'DE'",
      $orderby: 'amounts/amount',
      $select: 'transactionNumber,supplier(supplierId,supplierName),amounts(currencyAmount,currencyCode)',
      $limit: 2,
    },
  })
  const { data: rate } = await readExchangeRatesRecord({
    path: { currencyCode: 'EUR', rateType: 'C', validFrom: '2026-10-31' },
  })
  const { data: contracts } = await listObjectDocumentArchive({
    query: { $filter: "docType eq 'CONTRACT'", $orderby: 'title', $select: 'title,fileName,docSize', $limit: 2 },
  })
  const { data: found } = await listDocuments({ query: { search: 'lease bergen', limit: 1 } })
  const { data: content } = await readDocumentContent({
    path: { id: found?.items[0]?.id ?? '' },
    parseAs: 'blob',
  })

  const { data: customer } = await createCustomer({
    body: {
      customerName: 'Lyngheim hey-api',
      customerGroupId: 'IND',
      countryCode: 'NO',
      contactPoints: [{ contactPointType: '1' }],
      relatedValues: [{ relationId: 'LEGALID', relatedValue: 'NO1' }],
      customFieldGroups: { logistics: { deliveryZone: 'NORTH' } },
    },
  })
  const { data: rows } = await listObjectCustomers({
    query: {
      $filter: `customerId eq '${customer?.customerId}'`,
      $select: 'customerName,countryCode[C;T],customFieldGroups',
    },
  })
  const row = rows?.[0]
  return {
    token: token?.access_token ?? '',
    costCentres,
    ledger,
    costCentre,
    created,
    refused,
    changed,
    supplier,
    debts,
    rate,
    contracts,
    lease: (await content?.slice(0, 4).text()) ?? '',
    customer: {
      name: row?.customerName,
      country: row?.['countryCode(description)'],
      zone: row?.customFieldGroups?.logistics?.deliveryZone,
    },
  }
}
