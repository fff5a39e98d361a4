// The preferences of a batch (RFC 7240; OData Protocol 4.01, 8.2.8.3).

const CONTINUE = /^(?:odata\.)?continue-on-error\s*(?:=\s*"?(true|false)"?)?\s*(?:;|$)/i

/** `continue-on-error`, also as OData 4.0 spells it; undefined if it is not asked for. The first one counts. */
export function continueOnErrorIn(prefer: string | undefined): boolean | undefined {
  for (const preference of (prefer ?? '').split(',')) {
    const found = CONTINUE.exec(preference.trim())
    if (found) return found[1]?.toLowerCase() !== 'false'
  }
  return undefined
}
