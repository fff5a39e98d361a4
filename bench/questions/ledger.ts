// Queries of the ledger.
import { customerIdAt } from '../records/customers.ts'
import { PERIODS, periodAt } from '../records/ledger.ts'
import type { Random } from '../records/random.ts'
import { accountAt } from '../records/values.ts'
import { objects, type Parameters, type Question } from './question.ts'

const ledger = (options: Parameters): string => objects('general-ledger-transactions', { posted: 'true', ...options })

/** Accounts with 2,000 to 10,000 of a million lines. */
const usualAccount = (random: Random): string => accountAt(5 + random.whole(150))
const accountAndPeriod = (random: Random) => ({
  account: usualAccount(random),
  period: periodAt(random.whole(PERIODS)),
})

export const LEDGER_QUESTIONS: readonly Question[] = [
  {
    name: 'ledger: account eq, period ge, ordered by transactionNumber, 100 rows of 5',
    answer: 'list',
    ask: (random) => ({ account: usualAccount(random), period: periodAt(12 + random.whole(PERIODS - 18)) }),
    service: ({ account, period }) =>
      ledger({
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
  },
  {
    name: 'ledger: account and period eq, with description and association, 100 rows',
    answer: 'list',
    ask: accountAndPeriod,
    service: ({ account, period }) =>
      ledger({
        filter: `accountingInformation/account eq '${account}' and period eq ${period}`,
        select:
          'transactionNumber,sequenceNumber,accountingInformation(account[C;T]),amounts(amount),customer(customerName)',
        limit: 100,
      }),
    select: {
      transactionNumber: 'l.transaction_number',
      sequenceNumber: 'l.sequence_number',
      accountingInformation: {
        account: 'l.account',
        'account(description)': `(select description from attribute_value
          where attribute_id = 'A0' and attribute_value = l.account and period_from = 0)`,
      },
      amounts: { amount: 'l.amount' },
      customer: { customerName: "coalesce(c.customer_name, '')" },
    },
    from: `from ledger l left join customer c on c.customer_id = l.customer_id
      where l.state = 'posted' and l.account = :account and l.period = :period
      order by l.transaction_number, l.sequence_number limit 100`,
    indexes: ['create index ledger_period on ledger (state, account, period, transaction_number, sequence_number)'],
  },
  {
    name: 'ledger: account and period eq, ordered by amount, the 20 greatest',
    answer: 'list',
    ask: accountAndPeriod,
    service: ({ account, period }) =>
      ledger({
        filter: `accountingInformation/account eq '${account}' and period eq ${period}`,
        orderBy: 'amounts/amount desc',
        select: 'transactionNumber,sequenceNumber,description,amounts',
        limit: 20,
      }),
    select: {
      transactionNumber: 'transaction_number',
      sequenceNumber: 'sequence_number',
      description: 'description',
      amounts: {
        amount: 'amount',
        currencyAmount: 'currency_amount',
        currencyCode: 'currency_code',
        debitCredit: 'debit_credit',
      },
    },
    from: `from ledger where state = 'posted' and account = :account and period = :period
      order by amount desc, transaction_number, sequence_number limit 20`,
  },
  {
    name: 'ledger: of a customer, newest 20',
    answer: 'list',
    ask: (random, { customers }) => ({ customerId: customerIdAt(random.skewed(customers)) }),
    service: ({ customerId }) =>
      ledger({
        filter: `customerId eq '${customerId}'`,
        orderBy: 'transactionNumber desc',
        select: 'transactionNumber,sequenceNumber,transactionDate,description,amounts(amount)',
        limit: 20,
      }),
    select: {
      transactionNumber: 'transaction_number',
      sequenceNumber: 'sequence_number',
      transactionDate: 'transaction_date',
      description: 'description',
      amounts: { amount: 'amount' },
    },
    from: `from ledger where state = 'posted' and customer_id = :customerId
      order by transaction_number desc, sequence_number limit 20`,
    indexes: ['create index ledger_customer on ledger (state, customer_id, transaction_number desc, sequence_number)'],
  },
  {
    name: 'ledger: a late page by its key, transactionNumber gt, 100 rows of 5',
    answer: 'list',
    ask: (random, { ledgerLines }) => ({ after: 40_000_000 + random.whole(Math.floor(ledgerLines / 20)) }),
    service: ({ after }) =>
      ledger({
        filter: `transactionNumber gt ${after}`,
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
    from: `from ledger where state = 'posted' and transaction_number > :after
      order by transaction_number, sequence_number limit 100`,
  },
  {
    name: 'ledger: count of an account from a period on (HEAD)',
    answer: 'count',
    ask: (random) => ({ account: usualAccount(random), period: periodAt(12 + random.whole(PERIODS - 18)) }),
    service: ({ account, period }) =>
      ledger({ filter: `accountingInformation/account eq '${account}' and period ge ${period}` }),
    select: {},
    from: "from ledger where state = 'posted' and account = :account and period >= :period",
  },
]
