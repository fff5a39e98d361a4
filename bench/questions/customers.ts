// Queries of customers, their relations and documents.
import { COUNTRIES, customerIdAt, nameStart } from '../records/customers.ts'
import { DOCUMENT_TYPES } from '../records/documents.ts'
import { objects, type Question } from './question.ts'

const GROUPS = ['IND', 'RET', 'SRV', 'PUB', 'SHP']

export const CUSTOMER_QUESTIONS: readonly Question[] = [
  {
    name: 'customers: of a group, 50 rows',
    answer: 'list',
    ask: (random) => ({ groupId: random.pick(GROUPS), country: random.pick(COUNTRIES) }),
    service: ({ groupId, country }) =>
      objects('customers', {
        filter: `customerGroupId eq '${groupId}' and countryCode eq '${country}'`,
        select: 'customerId,customerName,customerGroupId,invoice(creditLimit)',
        limit: 50,
      }),
    select: {
      customerGroupId: 'customer_group_id',
      customerId: 'customer_id',
      customerName: 'customer_name',
      invoice: { creditLimit: 'credit_limit' },
    },
    from: 'from customer where customer_group_id = :groupId and country_code = :country order by customer_id limit 50',
    indexes: ['create index customer_group on customer (customer_group_id, country_code, customer_id)'],
  },
  {
    name: 'customers: of a country by start of name, with description, 50 rows',
    answer: 'list',
    ask: (random) => ({ country: random.pick(COUNTRIES.slice(0, 4)), start: nameStart(random).slice(0, 3) }),
    service: ({ country, start }) =>
      objects('customers', {
        filter: `countryCode eq '${country}' and startswith(customerName,'${start}')`,
        orderBy: 'customerName',
        select: 'customerId,customerName,countryCode[C;T]',
        limit: 50,
      }),
    select: {
      countryCode: 'c.country_code',
      'countryCode(description)': "(select title from value_list where name = 'COUNTRY' and code = c.country_code)",
      customerId: 'c.customer_id',
      customerName: 'c.customer_name',
    },
    from: `from customer c where c.country_code = :country
      and c.customer_name >= :start and c.customer_name < :start || '\u{10ffff}'
      order by c.customer_name, c.customer_id limit 50`,
    indexes: ['create index customer_name on customer (country_code, customer_name, customer_id)'],
  },
  {
    name: 'customers: a range of keys with contact points and related values, 20 rows',
    answer: 'list',
    ask: (random, { customers }) => ({ from: customerIdAt(random.whole(customers - 20)) }),
    service: ({ from }) =>
      objects('customers', {
        filter: `customerId ge '${from}'`,
        select: 'customerId,customerName,contactPoints,relatedValues',
        limit: 20,
      }),
    select: {
      customerId: 'c.customer_id',
      customerName: 'c.customer_name',
      contactPoints: ['json', 'c.contact_points'],
      relatedValues: [
        'list',
        {
          dateFrom: "r.date_from || 'Z'",
          dateTo: "r.date_to || 'Z'",
          percentage: 'r.percentage',
          relatedValue: 'r.related_value',
          relationGroup: 't.group_name',
          relationId: 'r.relation_id',
          relationName: 't.name',
          unitValue: 'r.unit_value',
        },
        `from related_value r join relation t on t.relation_id = r.relation_id
         where r.attribute_id = 'A4' and r.attribute_value = c.customer_id`,
      ],
    },
    from: 'from customer c where c.customer_id >= :from order by c.customer_id limit 20',
  },
  {
    name: 'attribute relations of a value',
    answer: 'list',
    ask: (random, { customers }) => ({ value: customerIdAt(random.whole(customers)) }),
    service: ({ value }) =>
      objects('attribute-relations', {
        filter: `attributeId eq 'A4' and attributeValue eq '${value}'`,
        select: 'attributeId,attributeValue,relatedAttributeId,relatedAttributeName,relationValue,percentage,dateFrom',
      }),
    select: {
      attributeId: 'r.attribute_id',
      attributeValue: 'r.attribute_value',
      dateFrom: "r.date_from || 'Z'",
      percentage: 'r.percentage',
      relatedAttributeId: 'r.related_attribute_id',
      relatedAttributeName: 'a.name',
      relationValue: 'r.related_value',
    },
    from: `from related_value r join attribute a on a.attribute_id = r.related_attribute_id
      where r.attribute_id = 'A4' and r.attribute_value = :value
      order by r.related_attribute_id, r.related_value`,
  },
  {
    name: 'document archive: of a type by title, with indexes, 50 rows',
    answer: 'list',
    ask: (random) => ({ type: random.pick(DOCUMENT_TYPES) }),
    service: ({ type }) =>
      objects('document-archive', {
        filter: `docType eq '${type}'`,
        orderBy: 'title',
        select: 'docType,title,fileName,docSize,indexes(sequenceNo,indexValue)',
        limit: 50,
      }),
    select: {
      docType: 'd.doc_type',
      title: 'd.title',
      fileName: 'd.file_name',
      docSize: 'd.doc_size',
      indexes: [
        'list',
        { sequenceNo: 'i.sequence_no', indexValue: 'i.index_value' },
        'from document_index i where i.id = d.id',
      ],
    },
    from: "from document d where d.doc_type = :type and d.status = 'N' order by d.title, d.id limit 50",
    indexes: ['create index document_type on document (doc_type, status, title, id)'],
  },
]
