// Mutations of the HTTP layer: of the description, of bodies, of parameters and of patches, for H1, H3, H6 and H8.
import type { Mutation } from './mutation.ts'

const ANSWERS = ['test/reliability/http/description.test.ts', 'H1 no answer'] as const
const BODIES = ['test/reliability/http/bodies.test.ts', 'H3 hard bodies'] as const
const PARAMETERS = ['test/reliability/http/parameters.test.ts', 'H6 no duplicate parameter'] as const
const ENGINE = ['test/reliability/http/patches.test.ts', 'H8 changes members'] as const
const POINTERS = ['test/reliability/http/patches.test.ts', 'H8 every endpoint'] as const
const TRAFFIC = ['test/api/document-traffic.test.ts', 'are returned to each'] as const

export const httpMutations: readonly Mutation[] = [
  {
    name: 'a record that is deleted is answered with a status that is not described',
    find: 'removeRecord(service, type, { ...request, key }),\n    toStored: () => ({ status: 200 })',
    replace: 'removeRecord(service, type, { ...request, key }),\n    toStored: () => ({ status: 204 })',
    test: ANSWERS,
  },
  {
    name: 'a created record is answered without its address',
    find: 'headers: { etag: etagOf(found.change_no), location }',
    replace:
      "headers: { etag: etagOf(found.change_no), ...(location.includes('%') ? {} : { 'x-location': location }) }",
    test: ANSWERS,
  },
  {
    name: 'there is a null in an answer',
    find: '{"notificationMessages":{}}',
    replace: '{"notificationMessages":null}',
    test: ANSWERS,
  },
  {
    name: 'the permission is left out at one route',
    find: 'if (caller.may(companyId, permit)) return companyId',
    replace: "if (caller.may(companyId, permit) || permit === 'customers:read') return companyId",
    test: ANSWERS,
  },
  {
    name: 'the description lacks validateOnly',
    find: 'return { ...Object.fromEntries(withHeaders), [VALIDATE_ONLY]: validated }',
    replace: 'return Object.fromEntries(withHeaders)',
    test: ANSWERS,
  },
  {
    name: 'If-Match is not compared',
    find: "return header === undefined || header.trim() === '*' || tagsIn(header).includes(etag)",
    replace: 'return true',
    test: ANSWERS,
  },
  {
    name: 'an error of OData has the form of the others',
    find: '  problemForm,\n} as const',
    replace: '} as const',
    test: ANSWERS,
  },
  {
    name: 'the metadata of OData declare another type',
    find: "integer: 'Edm.Int64'",
    replace: "integer: 'Edm.String'",
    test: ANSWERS,
  },
  {
    name: 'nesting is not bounded',
    find: 'if (depth > this.limits.depth)',
    replace: 'if (depth > 10_000)',
    test: BODIES,
  },
  {
    name: 'an object may have duplicate names',
    find: 'if (Object.hasOwn(owner, name))',
    replace: 'if (false)',
    test: BODIES,
  },
  {
    name: 'a lone surrogate is accepted',
    find: 'if (!value.isWellFormed())',
    replace: 'if (value.length > 1 && !value.isWellFormed())',
    test: BODIES,
  },
  {
    name: 'a body with two encodings is read as not encoded',
    find: "encoding.toLowerCase() === 'identity'",
    replace: "encoding.toLowerCase().startsWith('identity')",
    test: BODIES,
  },
  {
    name: 'a body may be a byte longer than the bound',
    find: 'jsonReaders(maxBytes = BODY_LIMIT_BYTES,',
    replace: 'jsonReaders(maxBytes = BODY_LIMIT_BYTES + 1,',
    test: BODIES,
  },
  {
    name: 'of two companies the first wins',
    find: 'if (named.length > 1)',
    replace: 'if (named.length > 2)',
    test: PARAMETERS,
  },
  {
    name: 'of two companies in a body the first wins',
    find: 'if (matches.length > 1)',
    replace: 'if (matches.length > 2)',
    test: PARAMETERS,
  },
  {
    name: 'of two limits of a list the last wins',
    find: 'if (given.has(parameter))',
    replace: 'if (false)',
    test: PARAMETERS,
  },
  {
    name: 'names of members are looked up in the prototype too',
    find: 'return members.get(name) ?? members.get(foldName(name))',
    replace:
      'const found = members.get(name) ?? members.get(foldName(name))\n  const inherited = (schema.properties as Record<string, unknown>)[name]\n  return found ?? (inherited === undefined ? undefined : { name, schema: schema.properties[Object.keys(schema.properties)[0]!]! })',
    test: ENGINE,
  },
  {
    name: 'an index may have zeros before it',
    find: '/^(?:-|0|[1-9][0-9]*)$/',
    replace: '/^(?:-|[0-9]+)$/',
    test: POINTERS,
  },
  {
    name: 'an index that is out of range makes a hole',
    find: "if (index >= items.length + (op === 'add' ? 1 : 0))",
    replace: "if (op === 'remove' && index >= items.length)",
    test: ENGINE,
  },
  {
    name: 'a patch works on the record itself',
    find: 'const draft = copyOf(record)',
    replace: 'const draft = { ...record } as typeof record',
    test: ENGINE,
  },
  {
    name: 'a failed operation of a patch is skipped, the rest is applied',
    find: 'return failures.length > 0 ? { failures }',
    replace: 'return failures.length > 1 ? { failures }',
    test: POINTERS,
  },
  {
    name: 'a value that cannot be read is answered 500',
    find: 'failures.push(notConvertible(operation, valuePath, valuePath.slice(path.length), { expected, given }))',
    replace: 'throw new Error(JSON.stringify([valuePath, expected, given]))',
    test: ENGINE,
  },
  {
    name: 'the buffer of an answer is reused before it is written',
    find: '    target.write(chunk, done)\n',
    replace: '    target.write(chunk)\n    done()\n',
    test: TRAFFIC,
  },
  {
    name: 'the memory of an answer is released before its end',
    find: '  if (held) yield held\n  //',
    replace: '  for (const buffer of buffers) BUFFERS.give(buffer)\n  if (held) yield held\n  //',
    test: TRAFFIC,
  },
]
