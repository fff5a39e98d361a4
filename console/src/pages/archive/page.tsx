import { PageFrame } from '../../parts/page-frame.tsx'

export function ArchivePage() {
  return <PageFrame title="Archive">{null}</PageFrame>
}

export function ArchivedPage() {
  return <PageFrame title="Document">{null}</PageFrame>
}
