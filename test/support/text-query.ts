// A query of a text of SQL, as the store is asked for an answer.
import { type CollectionQuery, INTERNAL_CALLER } from '../../src/store/store.ts'

/** `onAbandoned` is told how the query is stopped. The text has one row with one column; all but JSON is streamed. */
export function textQuery(
  text: string,
  onAbandoned: CollectionQuery['onAbandoned'] = () => {},
  format: CollectionQuery['format'] = 'json',
): CollectionQuery {
  return {
    format,
    cells: [],
    isUrgent: false,
    ...INTERNAL_CALLER,
    onAbandoned,
    compile: () => ({ text, parameters: [], rows: 1, rowBytes: 100 }),
  }
}
