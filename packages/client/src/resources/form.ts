// A form with a file (RFC 7578), as one body: so it can be sent as a stream, and again.

/** The fields by their names, lists and objects as JSON text, and the file. */
export function formOf(
  fields: object,
  fileName: string,
  content: Blob,
): { readonly body: Blob; readonly contentType: string } {
  const boundary = `form-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(36)).join('')}`
  const parts = Object.entries({ ...fields, fileName }).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return [`--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${text}\r\n`]
  })
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted(fileName)}"\r\n` +
    'content-type: application/octet-stream\r\n\r\n'
  const body = new Blob([...parts, head, content, `\r\n--${boundary}--\r\n`])
  return { body, contentType: `multipart/form-data; boundary=${boundary}` }
}

/** As browsers write them (WHATWG, multipart/form-data encoding algorithm). */
const quoted = (text: string) => text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
