import type { Mutation } from './mutation.ts'

export const isolationMutations: readonly Mutation[] = [
  {
    name: 'a company that exists is distinguishable from one that does not',
    find: ' else if (caller.may(companyId, permit)) return companyId\n',
    replace:
      " else if (caller.may(companyId, permit)) return companyId\n  if (/^kopper$/i.test(companyId)) throw malformed('It is not yours.')\n",
    test: ['test/reliability/isolation/matrix.test.ts', 'however another company is named in the query'],
  },
  {
    name: 'a company in the body of a POST is not checked',
    find: '  return inQuery ?? inBody\n',
    replace: '  return inQuery\n',
    test: ['test/reliability/isolation/matrix.test.ts', 'however another company is named in the body'],
  },
  {
    name: 'a route may be declared without a permission',
    find: "typeof permit === 'function' || PERMISSION.test(permit ?? '')",
    replace: 'true',
    test: [
      'test/reliability/isolation/declared-routes.test.ts',
      'accepts no route that does not declare who may call it',
    ],
  },
  {
    name: 'objects:read opens every Enterprise Document',
    find: "if (!caller.mayQuery(companyId, 'read', document))\n",
    replace: 'if (!caller || !companyId)\n',
    test: ['test/reliability/isolation/matrix.test.ts', 'allows each operation to the one permission'],
  },
  {
    name: 'a list of documents counts those of all companies',
    find: '`t.company_id = ',
    replace: '`1 = 1 or t.company_id = ',
    test: ['test/reliability/isolation/canaries.test.ts', 'T2 discloses nothing of other companies'],
  },
  {
    name: 'a file that another company has imported counts as imported',
    find: "    .select('line')\n    .$call(whereEqual(p, 'companyId', 'document', 'source')),",
    replace: "    .select('line')\n    .$call(whereEqual(p, 'document', 'source')),",
    test: ['test/cli/transfer.test.ts', 'imports the same file into each company'],
  },
  {
    name: 'a role can read a record if it can read one of another company with its key',
    find: '[[definition.companyColumn, tx.companyId], ...key]\n    return',
    replace: '[...key]\n    return',
    test: ['test/api/row-rules.test.ts', 'hold for the records of the company'],
  },
  {
    name: 'the attribute of a name is looked up in all companies',
    find: `from attribute where company_id = \${this.#sql.company} and name`,
    replace: 'from attribute where name',
    test: ['test/api/objects.descriptions.test.ts', 'describes by the attribute of a name that the company itself has'],
  },
  {
    name: 'the name of a relation is looked up in all companies',
    find: '[ofCompany(name, company), ...conditions]',
    replace: 'conditions',
    test: ['test/reliability/isolation/statements.test.ts', 'every declared statement is restricted to a company'],
  },
  {
    name: 'the record of an association is looked up in all companies',
    find: '    on.unshift(rows.ofCompany())\n    on.push',
    replace: '    on.push',
    test: [
      'test/store/company-predicates.test.ts',
      'in whatever questions of general-ledger-transactions are compiled to',
    ],
  },
  {
    name: 'the relations of a setup are not under row-level security',
    needsPostgres: true,
    find: "  'relation',\n  'attribute_value',\n",
    replace: "  'attribute_value',\n",
    test: ['test/reliability/isolation/row-level-security.test.ts', 'forced on every table with a company'],
  },
  {
    name: 'a value of any company is legal',
    find: ".$call(whereEqual(p, 'companyId', 'attributeId', 'attributeValue'))\n        .$if(isOpen",
    replace: ".$call(whereEqual(p, 'attributeId', 'attributeValue'))\n        .$if(isOpen",
    test: ['test/reliability/isolation/references.test.ts', 'to records and codes of another company'],
  },
  {
    name: 'identities: an issuer that is restricted to a company grants the rights of its user elsewhere',
    find: '  if (companies === undefined) return user\n',
    replace: '  if (user) return user\n',
    test: ['test/reliability/isolation/canaries.test.ts', 'T2 discloses nothing of other companies'],
  },
  {
    name: 'identities: two issuers that name one subject are one caller',
    find: `foreign:\${issuer.replaceAll(/[%|]/g, encodeURIComponent)}|`,
    replace: 'foreign:',
    test: ['test/api/trusted-issuers.test.ts', 'may use a key that another one has used'],
  },
  {
    name: 'identities: an answer is replayed to any caller of the company',
    find: "    .$call(whereEqual(p, 'companyId', 'clientId'))\n    .where('repeat_key'",
    replace: "    .$call(whereEqual(p, 'companyId'))\n    .where('repeat_key'",
    test: ['test/reliability/isolation/canaries.test.ts', 'T2 discloses nothing of other companies'],
  },
  {
    name: 'identities: an answer is replayed in any company',
    find: "    .select(['fingerprint', 'answer'])\n    .$call(whereEqual(p, 'companyId', 'clientId'))\n",
    replace: "    .select(['fingerprint', 'answer'])\n    .$call(whereEqual(p, 'clientId'))\n",
    test: ['test/api/idempotency-keys.test.ts', 'belongs to the company: the same key is another one there'],
  },
  {
    name: 'a search looks into records that no rule shows',
    find: '    const definition = readableDefinition(document, caller, request.company)\n    if (!definition ||',
    replace: '    const definition = document.of(request.company)\n    if (!caller ||',
    test: ['test/api/search.test.ts', 'shows rows nothing that rules of rows hide'],
  },
  {
    name: 'a search finds the words of hidden titles of documents',
    find: 'INDEXED.some((name) => restriction?.hidden.has(name))',
    replace: 'INDEXED.some((name) => restriction?.hidden.has(name.toUpperCase()))',
    test: ['test/api/search.test.ts', 'finds nothing by hidden properties'],
  },
]
