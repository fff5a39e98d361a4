/** The path that the service is mounted under, such as `/web-api`; empty at the root. */
export const BASE_PATH: string = import.meta.env.BASE_URL.replace(/\/console\/$/, '')
