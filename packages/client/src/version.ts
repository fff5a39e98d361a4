/** The version of this package, which each request names. */
export const VERSION = '0.1.0'
