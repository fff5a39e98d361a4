// The tutorial's calls with the types of openapi-typescript and the client openapi-fetch.
import createClient from 'openapi-fetch'
import type { paths } from '../made/openapi-typescript.js'
import type { Options, Session } from './session.js'

export async function session({ address, newValue, newSupplier }: Options): Promise<Session> {
  const client = createClient<paths>({ baseUrl: address })
  const { data: token } = await client.POST('/oauth/token', {
    body: { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' },
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  client.use({
    onRequest({ request }) {
      request.headers.set('Authorization', `Bearer ${token?.access_token}`)
      return request
    },
  })

  const { data: costCentres } = await client.GET('/v1/attribute-values/{attributeId}', {
    params: {
      path: { attributeId: 'C1' },
      query: { $filter: "contains(description,'sales')", $select: 'attributeValue,description', $limit: 2 },
    },
  })
  const { data: ledger } = await client.GET('/v1/objects/general-ledger-transactions', {
    params: {
      query: {
        posted: true,
        $filter: 'period eq 202606 and amounts/amount gt 400000',
        $orderby: 'amounts/amount desc',
        $select: 'transactionNumber,transactionDate,amounts(amount),accountingInformation(account[C;T])',
        $limit: 2,
      },
    },
  })
  const { data: costCentre } = await client.GET('/v1/attribute-values/{attributeId}/{attributeValue}/{periodFrom}', {
    params: { path: { attributeId: 'C1', attributeValue: '1000', periodFrom: 0 } },
  })
  const { data: created } = await client.POST('/v1/attribute-values', {
    body: { attributeId: 'C1', attributeValue: newValue, description: 'Oslo, rental' },
  })
  const { error: refused } = await client.POST('/v1/attribute-values', {
    body: { attributeId: 'C1', attributeValue: 'no blanks', owner: '999' },
  })
  const { data: changed } = await client.PATCH('/v1/attribute-values/{attributeId}/{attributeValue}/{periodFrom}', {
    params: { path: { attributeId: 'C1', attributeValue: newValue, periodFrom: 0 } },
    body: [
      { op: 'replace', path: '/description', value: 'Oslo, rental and service' },
      {
        op: 'add',
        path: '/relatedValues/-',
        value: { relationId: 'CCDEPT', relatedValue: '100', percentage: 100 },
      },
    ],
  })
  const { data: supplier } = await client.POST('/v1/suppliers', {
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
  const { data: debts } = await client.GET('/v1/objects/general-ledger-transactions', {
    params: {
      query: {
        posted: true,
        $filter: "period eq 202606 and supplier/countryCode eq 'DE'",
        $orderby: 'amounts/amount',
        $select: 'transactionNumber,supplier(supplierId,supplierName),amounts(currencyAmount,currencyCode)',
        $limit: 2,
      },
    },
  })
  const { data: rate } = await client.GET('/v1/exchange-rates/{currencyCode}/{rateType}/{validFrom}', {
    params: { path: { currencyCode: 'EUR', rateType: 'C', validFrom: '2026-10-31' } },
  })
  const { data: contracts } = await client.GET('/v1/objects/document-archive', {
    params: {
      query: { $filter: "docType eq 'CONTRACT'", $orderby: 'title', $select: 'title,fileName,docSize', $limit: 2 },
    },
  })
  const { data: found } = await client.GET('/v1/documents', { params: { query: { search: 'lease bergen', limit: 1 } } })
  const { data: content } = await client.GET('/v1/documents/{id}/content', {
    params: { path: { id: found?.items[0]?.id ?? '' } },
    parseAs: 'blob',
  })

  const { data: customer } = await client.POST('/v1/customers', {
    body: {
      customerName: 'Lyngheim openapi-fetch',
      customerGroupId: 'IND',
      countryCode: 'NO',
      contactPoints: [{ contactPointType: '1' }],
      relatedValues: [{ relationId: 'LEGALID', relatedValue: 'NO1' }],
      customFieldGroups: { logistics: { deliveryZone: 'NORTH' } },
    },
  })
  const { data: rows } = await client.GET('/v1/objects/customers', {
    params: {
      query: {
        $filter: `customerId eq '${customer?.customerId}'`,
        $select: 'customerName,countryCode[C;T],customFieldGroups',
      },
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
