// Receives a JSON body with a file in base64: the content is streamed to disk and never buffered completely.
import type { Readable } from 'node:stream'
import { decodeUtf8, JsonError, type JsonValue, parseJson } from '../../base/strict-json.ts'
import { malformed, tooLarge } from '../../errors/catalogue.ts'
import { chunksOf } from './body-chunks.ts'
import { BODY_LIMIT_BYTES } from './json-body.ts'
import { JsonSplitter } from './json-content-splitter.ts'
import { CONTENT_LIMIT_BYTES, discardContent, type FileIntake, type GivenContent, type ReadBody } from './received.ts'

export async function readJsonWithFile(payload: Readable, intake: FileIntake): Promise<ReadBody> {
  const splitter = new JsonSplitter(BODY_LIMIT_BYTES, () => tooLarge(BODY_LIMIT_BYTES))
  const file = await intake.take(contentIn(payload, splitter), CONTENT_LIMIT_BYTES)
  const content: GivenContent = splitter.found === 'bytes' ? file : splitter.found
  try {
    if (content !== file) await intake.discard(file)
    return { body: parseRest(splitter), content }
  } catch (error) {
    await discardContent(intake, content)
    throw error
  }
}

async function* contentIn(payload: Readable, splitter: JsonSplitter): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of chunksOf(payload)) {
    for (const bytes of splitter.push(chunk)) yield bytes
  }
}

function parseRest(splitter: JsonSplitter): JsonValue {
  try {
    return parseJson(decodeUtf8(splitter.rest()))
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw malformed(`Malformed JSON at position ${splitter.positionInBody(error.position)}: ${error.message}`)
  }
}
