// What is asked of the ledger.

import { PERIODS, periodAt } from '../records/ledger.ts'
import type { Random } from '../records/random.ts'
import { accountAt } from '../records/values.ts'
import { objects, type Question } from './question.ts'

const LEDGER = 'general-ledger-transactions'
/** Accounts with some 2,000 to 10,000 of a million lines. */
const usualAccount = (random: Random): string => accountAt(5 + random.whole(150))

export const ledgerByAccount: Question = {
  name: 'ledger: account eq, period ge, ordered by transactionNumber, 100 rows of 5',
  answer: 'list',
  ask: (random) => ({ account: usualAccount(random), period: periodAt(12 + random.whole(PERIODS - 18)) }),
  service: ({ account, period }) =>
    objects(LEDGER, {
      posted: 'true',
      filter: `accountingInformation/account eq '${account}' and period ge ${period}`,
      orderBy: 'transactionNumber',
      select: 'transactionNumber,sequenceNumber,transactionDate,description,amounts(amount)',
      limit: 100,
    }),
  select: {
    transactionNumber: 'transaction_number',
    sequenceNumber: 'sequence_number',
    transactionDate: 'transaction_date',
    description: 'description',
    amounts: { amount: 'amount' },
  },
  from: `from ledger where state = 'posted' and account = :account and period >= :period
    order by transaction_number, sequence_number limit 100`,
  indexes: ['create index ledger_account on ledger (state, account, transaction_number, sequence_number, period)'],
}
