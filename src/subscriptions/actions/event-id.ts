/** The id of an event, as the feed has it: `EN-1234`, or `EN-1234.2` where several changes have one number. */
export function eventIdOf(companyId: string, number: number, part: number): string {
  return part === 0 ? `${companyId}-${number}` : `${companyId}-${number}.${part}`
}

const EVENT_ID = /^(.*)-(\d{1,15})(?:\.(\d{1,15}))?$/s

/** Undefined for what is no id of an event of the company. */
export function readEventId(companyId: string, text: string): { number: number; part: number } | undefined {
  const [, company, number, part = '0'] = EVENT_ID.exec(text) ?? []
  return company === companyId ? { number: Number(number), part: Number(part) } : undefined
}
