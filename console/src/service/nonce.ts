/** The number that styles made by scripts must carry; the service makes one for each page. */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
