/** The path of a company's service document, as routes declare it. */
export const COMPANY = '/odata/v4/:companyId'
/** Up to the company. */
const ROOT = /^.*?\/odata\/v4\/[^/]+/

/** The absolute URL of the service document, without a slash at its end. */
export function rootUrlOf({ origin, path }: { readonly path: string; origin(): string }): string {
  return `${origin()}${ROOT.exec(path)?.[0] ?? ''}`
}
