// What an erasure does with each table of the database and each file of the data folder. A new one needs an answer here,
// and texts of the person in test/cli/erase.test.ts.

export const REMOVED = 'its values are removed'
export const TABLES: Readonly<Record<string, string>> = {
  ...removes('attribute_relation attribute_value customer document document_index document_revision document_text'),
  ...removes('document_words document_words_config document_words_data document_words_docsize document_words_idx'),
  ...removes(
    'journal_entry journal_dictionary kept_answer proposal batch_operation_result mirror_finding person_settings',
  ),
  ...removes('subscription_event subscription_attempt'),
  batch_operation: 'its body goes an hour after it has ended, as the guide says',
  import_progress: 'the digest of a file',
  import_row: 'numbers of rows',
  slow_query: 'questions without their values',
  ...keeps('attribute company relation value_list ledger_transaction setup_item setup_version subscription numbering'),
  ...keeps('client_usage journal_counter journal_origin kysely_migration kysely_migration_lock service_secret'),
  ...keeps('serving_process session swept_file table_version mirror_document'),
}

export function removes(names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, REMOVED]))
}

export function keeps(names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, 'it has no values of records that can be erased']))
}

/** The tables that have no answer; those of the setup and of built-in resources are emptied with their records. */
export const unanswered = (tables: readonly string[]): string[] =>
  tables.filter((name) => !/^(?:own|built_in|setup_text)_/.test(name) && !(name in TABLES))
