import { PageFrame } from '../../parts/page-frame.tsx'

export function EditPage() {
  return <PageFrame title="Edit">{null}</PageFrame>
}

export function NewPage() {
  return <PageFrame title="New record">{null}</PageFrame>
}
