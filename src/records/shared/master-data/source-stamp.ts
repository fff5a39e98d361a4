// When a record of a mirror was last changed at its source, and by whom, in the change log: last in the texts of
// records that do not show it themselves.

/** When a record was last changed, and by whom. */
export interface Stamp {
  readonly updatedAt: string
  readonly updatedBy: string
}

/** The user that writes what a source has. */
export const MIRROR_USER = 'mirror'

/** No member of a record has such a name, and quotes inside texts are escaped: so it stands nowhere else. */
const MEMBER = ',"source.lastUpdated":'

/** The text for the change log; without a stamp of the source the time of the entry holds. */
export function withSourceStamp(text: string, stamp: Stamp | undefined): string {
  return stamp ? `${text.slice(0, -1)}${MEMBER}${JSON.stringify(stamp)}}` : text
}

/** The text of the record itself, and its stamp at the source. */
export function splitSourceStamp(text: string): { readonly text: string; readonly stamp: Stamp | undefined } {
  const at = text.lastIndexOf(MEMBER)
  if (at < 0) return { text, stamp: undefined }
  return { text: `${text.slice(0, at)}}`, stamp: JSON.parse(text.slice(at + MEMBER.length, -1)) as Stamp }
}
