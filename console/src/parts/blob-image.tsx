// A picture of a content that the service has answered. It is shown as a picture alone: markup in it never runs.
import { useEffect, useState } from 'react'

interface BlobImageProps {
  readonly content: Blob
  readonly alt: string
  readonly className?: string | undefined
}

export function BlobImage({ content, alt, className }: BlobImageProps) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(content)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  return url === undefined ? null : <img src={url} alt={alt} className={className} />
}
