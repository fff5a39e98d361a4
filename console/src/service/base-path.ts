/** The path that the service is mounted under, such as `/web-api`; empty at the root. */
export const BASE_PATH: string = import.meta.env.BASE_URL.replace(/\/console\/$/, '')

/** The number that styles made by scripts must carry; the service makes one for each page. */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
