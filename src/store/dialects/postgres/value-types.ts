import pg from 'pg'

/** Stored integers stay below 2^53, so a bigint is read as a number. JSON is read as its text. */
export const VALUE_TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return Number
    if (oid === pg.types.builtins.JSON) return String
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig
