import type { PlantedBug } from './planted-bug.ts'

export const isolationBugs: readonly PlantedBug[] = [
  {
    name: 'a company that exists is told from one that does not',
    file: 'src/http/authorise.ts',
    find: '  if (caller.may(companyId, permit)) return companyId\n',
    replace:
      "  if (caller.may(companyId, permit)) return companyId\n  if (/^kopper$/i.test(companyId)) throw malformed('It is not yours.')\n",
    test: ['test/reliability/t1-matrix.test.ts', 'however the company is named in the query'],
  },
  {
    name: 'a company in the body of a POST is not looked at',
    file: 'src/http/authorise.ts',
    find: '  return inQuery ?? inBody\n',
    replace: '  return inQuery\n',
    test: ['test/reliability/t1-matrix.test.ts', 'however the company is named in the body'],
  },
  {
    name: 'a route may be declared without a permission',
    file: 'src/http/declared-routes.ts',
    find: 'if (isPublic || isIncomplete || PERMISSION.test(permit)) return',
    replace: 'if (url) return',
    test: ['test/reliability/t1-declared-routes.test.ts', 'takes no route that does not say who may call it'],
  },
  {
    name: 'objects:read opens every Enterprise Document',
    file: 'src/objects/query-document.ts',
    find: "  if (!caller.mayQuery(companyId, 'read', document)) throw notAuthorised()\n",
    replace: '  void [caller, companyId, document]\n',
    test: ['test/reliability/t1-matrix.test.ts', 'allows each operation to the one permission'],
  },
  {
    name: 'a list of documents counts those of all companies',
    file: 'src/records/documents/document-list.ts',
    find: '`t.company_id = ',
    replace: '`1 = 1 or t.company_id = ',
    test: ['test/reliability/t2-canaries.test.ts', 'T2 tells a company nothing of the others'],
  },
  {
    name: 'a file that another company has imported counts as imported',
    file: 'src/store/import-store.ts',
    find: "    .select('line')\n    .where('company_id', '=', p('companyId'))\n",
    replace: "    .select('line')\n",
    test: ['test/cli/transfer.test.ts', 'brings the same file into each company'],
  },
  {
    name: 'a role sees a record when it sees one of another company with its key',
    file: 'src/records/shared/sight.ts',
    find: '[definition.companyColumn, tx.companyId], ',
    replace: '',
    test: ['test/api/row-rules.test.ts', 'hold for the records of the company'],
  },
  {
    name: 'the attribute of a name is looked up in all companies',
    file: 'src/store/compile/rows.ts',
    find: `from attribute where company_id = \${company} and name`,
    replace: 'from attribute where name',
    test: ['test/api/objects.descriptions.test.ts', 'describes by the attribute of a name that the company itself has'],
  },
  {
    name: 'the name of a relation is looked up in all companies',
    file: 'src/records/shared/related-values-json.ts',
    find: 't.company_id = r.company_id and t.relation_id',
    replace: 't.relation_id',
    test: ['test/reliability/t4-statements.test.ts', 'every declared statement says its company'],
  },
  {
    name: 'the relations of a setup are not under row-level security',
    file: 'src/store/migrations/relations.ts',
    find: "await guardTenants(db, ['relation'])",
    replace: 'await guardTenants(db, [])',
    test: ['test/reliability/t4-row-level-security.test.ts', 'forced on every table with a company'],
  },
  {
    name: 'a value of any company is legal',
    file: 'src/records/shared/value-store.ts',
    find: "      .where('company_id', '=', p('companyId'))\n",
    replace: '',
    test: ['test/reliability/t5-references.test.ts', 'to records and codes of another company'],
  },
]
