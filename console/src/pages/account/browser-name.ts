// What people call a browser and its system, by the header `User-Agent`: others are shown as they call themselves.

/** Browsers name those that they descend from behind themselves, so the first that is found is meant. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|\bCriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Undefined for a program that is none of them. */
export function browserName(userAgent: string): string | undefined {
  const nameIn = (names: typeof BROWSERS) => names.find(([sign]) => sign.test(userAgent))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  return browser === undefined || system === undefined ? undefined : `${browser}, ${system}`
}
