import { Type } from 'typebox'

/** The body of every PATCH, for the API description; `operations.ts` parses it. */
export const PatchBody = Type.Array(
  Type.Object({
    op: Type.Union([Type.Literal('replace'), Type.Literal('add'), Type.Literal('remove')], {
      description: 'In any letter case.',
    }),
    path: Type.String({ description: 'Slash and member, slash and index; `-` appends.', examples: ['/description'] }),
    value: Type.Optional(Type.Unknown({ description: 'Left out for remove.' })),
  }),
  { maxItems: 1_000, title: 'PatchOperations' },
)
